import { openProjectCompiler } from '@texproof/platex/project'

// Indexes the fonts for LuaTeX where compiles of this user look for the index: once a machine, then at once.

const compiler = await openProjectCompiler({ sandbox: 'auto' })
await compiler.prepareFonts()
await compiler.close()
