// Runs the merged sources: `load-merged.mjs [--store-code] FOLDER/main.cjs ARGUMENTS`.
//
// V8 compiles each function at its first call. Beside each file is the compiled code of the functions that a host calls until
// it has answered its first pages (`scripts/setup/store-code.mjs`). The compile cache of Node.js has none of them, because it
// stores the code of a file before the file runs. With `--store-code`, a process stores its code when it ends; it ends when
// its standard input does.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Script, constants } from 'node:vm'

const storesCode = process.argv[2] === '--store-code'
// Commands see their own arguments only.
process.argv.splice(1, storesCode ? 2 : 1)
const main = resolve(process.argv[1])
const folder = dirname(main)
const requirePackage = createRequire(main)
const scripts = new Map()
const modules = new Map()

if (storesCode) {
  // On a busy machine, V8 would drop the code of functions that were called a while ago.
  setFlagsFromString('--no-flush-bytecode')
  process.once('exit', storeCode)
  process.stdin.once('end', () => process.kill(process.pid, 'SIGTERM'))
  process.stdin.resume().unref?.()
}
load(main)

function load(file) {
  const known = modules.get(file)
  if (known !== undefined) return known.exports
  const module = { exports: {} }
  modules.set(file, module)
  const requireFrom = (name) => {
    if (name.startsWith('./')) return load(join(folder, name))
    return process.getBuiltinModule(name) ?? requirePackage(name)
  }
  const run = compile(file).runInThisContext()
  run(module.exports, requireFrom, module, file, folder, import.meta.resolve)
  return module.exports
}

/** Code of another version or with other options of V8 is ignored. */
function compile(file) {
  // In one line, so that stack traces have the lines of the file.
  const source = `(function (exports, require, module, __filename, __dirname, resolveImport) {${readFileSync(file, 'utf8')}\n})`
  const script = new Script(source, {
    filename: file,
    cachedData: readCode(file),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  scripts.set(file, script)
  return script
}

function readCode(file) {
  try {
    return readFileSync(`${file}.code`)
  } catch {
    // Nothing was stored: the functions are compiled.
    return undefined
  }
}

/** Stores the code of all files, also of those of other commands, which then need not be parsed. */
function storeCode() {
  // V8 rejects code that was stored with other options.
  setFlagsFromString('--flush-bytecode')
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.cjs'))) {
    const file = join(folder, name)
    writeFileSync(`${file}.code`, (scripts.get(file) ?? compile(file)).createCachedData())
  }
}
