import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

import { explainFailure } from './explain-failure.mjs'
import { startProgress } from './progress.mjs'
import { storeCode } from './store-code.mjs'

/** Earlier results are kept for a week: a running server may still import their files. */
const keptMs = 7 * 24 * 3_600_000

/** Packages that find files of their own by their place. */
const unmerged = /^(?:node:|@jsquash\/|pg$)/

/** Modules that threads load: `import.meta.resolve('./task.ts')`, `new URL('thread.ts', import.meta.url)`. */
const threadModule = /import\.meta\.resolve\('(\.[^']*\.ts)'\)|new URL\('([^']*\.ts)', import\.meta\.url\)/g

/**
 * Merges the sources of the `texproof` command and their packages into a few files, because Node.js takes 0.4 ms of
 * processor time to load a module ([ADR 49](../../docs/adr/0049-merged-sources.md)). The result is in
 * `packages/texproof/dist/ID`; the command runs the sources if their id has changed or if there is no result, so a failure
 * is not fatal.
 *
 * @param {string} root Absolute path of the checkout.
 */
export async function mergeSources(root) {
  const results = join(root, 'packages', 'texproof', 'dist')
  const id = execFileSync(join(root, 'scripts', 'source-id'), { encoding: 'utf8' }).trim()
  if (existsSync(join(results, id))) return
  const progress = startProgress('sources of the command')
  try {
    mkdirSync(results, { recursive: true })
    const unfinished = mkdtempSync(join(results, 'unfinished-'))
    try {
      await mergeInto(unfinished, join(root, 'packages', 'texproof', 'src'))
      progress.update('merged, compiling')
      const problem = await storeCode(root, join(unfinished, 'main.cjs'))
      chmodSync(unfinished, 0o755)
      renameSync(unfinished, join(results, id))
      progress.end(
        problem === null ? 'merged and compiled' : `merged, not compiled, so the server starts more slowly: ${problem}`,
      )
    } finally {
      rmSync(unfinished, { recursive: true, force: true })
    }
    removeOldResults(results, id)
  } catch (error) {
    progress.end(`not merged, so commands start more slowly: ${explainFailure(error.message)}`)
  }
}

/**
 * Threads have files of their own, because code that they shared with the server would be split into hundreds. The files
 * of the command are functions that `bin/load-merged.mjs` calls, because V8 has no compiled code of modules that have run.
 */
async function mergeInto(folder, sources) {
  const names = nameThreadModules(sources)
  const threads = Object.fromEntries([...names].map(([file, name]) => [name, file]))
  await merge(join(folder, 'threads'), { input: threads, names, format: 'es' })
  await merge(folder, { input: { main: join(sources, 'cli', 'main.ts') }, names, format: 'cjs' })
}

async function merge(dir, { input, names, format }) {
  const extension = format === 'cjs' ? 'cjs' : 'js'
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input,
    platform: 'node',
    logLevel: 'warn',
    // Commands import what they need when they run; some of it is loaded anyway.
    checks: { ineffectiveDynamicImport: false },
    // The entry point `zod` has already been merged, with messages in fifty languages that nothing here uses.
    resolve: { conditionNames: ['texproof-source'], alias: { zod: 'zod/v4' } },
    // Only types are removed, as when the pinned Node.js runs the sources.
    transform: { target: 'esnext' },
    external: unmerged,
    plugins: [keepPlaces(dir, { names, format })],
  })
  await bundle.write({
    dir,
    format,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `[name]-[hash].${extension}`,
    // Stack traces keep their names and lines. Comments are a quarter of the text that every start reads, and a text with
    // one character beyond Latin-1 takes two bytes for each.
    comments: false,
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
  })
}

/** The modules that threads load → the name of the merged file of each. */
function nameThreadModules(sources) {
  const files = readdirSync(sources, { recursive: true }).filter((file) => /(?<!\.test|\.browser)\.ts$/.test(file))
  const modules = files.flatMap((file) => {
    const found = readFileSync(join(sources, file), 'utf8').matchAll(threadModule)
    return [...found].map(([, task, thread]) => join(dirname(file), task ?? thread))
  })
  // A comment may show the call with another name.
  const existing = modules.map((file) => join(sources, file)).filter((file) => existsSync(file))
  return new Map(existing.map((file) => [file, relative(sources, file).replaceAll('/', '-').replace(/\.ts$/, '')]))
}

/** Replaces `import.meta`, so that modules find files next to their sources, and threads the merged files. */
function keepPlaces(dir, { names, format }) {
  return {
    name: 'keep-places',
    transform(code, id) {
      if (!code.includes('import.meta.') || id.includes('/node_modules/')) return null
      const threads = basename(dir) === 'threads' ? '.' : './threads'
      const kept = code
        .replaceAll(threadModule, (whole, task, thread) => {
          const name = names.get(join(dirname(id), task ?? thread))
          const url = `new URL('${threads}/${name}.js', import.meta_url)`
          if (name === undefined) return whole
          return task === undefined ? url : `${url}.href`
        })
        .replaceAll('import.meta.url', 'sourceUrl')
        .replaceAll('import.meta.dirname', "pathOfUrl(new URL('.', sourceUrl))")
        .replaceAll('import.meta.resolve(', format === 'cjs' ? 'resolveImport(' : 'import.meta.resolve(')
        .replaceAll('import.meta_url', 'import.meta.url')
      const head = [
        "import { fileURLToPath as pathOfUrl } from 'node:url'",
        `const sourceUrl = new URL(${JSON.stringify(relative(dir, id))}, import.meta.url).href`,
      ]
      return `${head.join('; ')}; ${kept}`
    },
  }
}

function removeOldResults(results, id) {
  for (const name of readdirSync(results)) {
    const folder = join(results, name)
    if (name !== id && statSync(folder).mtimeMs < Date.now() - keptMs) rmSync(folder, { recursive: true })
  }
}
