import { openProjectCompiler } from '@texproof/platex/project'

// Builds the font index of LuaTeX for compiles of this user. Slow only once per machine.

const compiler = await openProjectCompiler({ sandbox: 'auto' })
await compiler.prepare()
await compiler.close()
