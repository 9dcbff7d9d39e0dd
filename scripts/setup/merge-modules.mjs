import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { explainFailure } from './explain-failure.mjs'
import { say } from './progress.mjs'

/** Packages of hundreds of modules that almost every command loads, and their entry points that the project imports. */
const packages = {
  kysely: { folder: 'dist', entries: ['index', 'migration/index'] },
  zod: { folder: '.', entries: ['index'] },
}

/**
 * Merges the modules of some installed packages into one file for each entry point, which replaces it. Node.js takes
 * 0.4 ms of processor time to load a module, so this saves a fifth of a start. Everything also works without it, so
 * a failure is not fatal. npm restores the original when it installs another version.
 *
 * @param {string} root Absolute path of the checkout.
 */
export async function mergeModules(root) {
  for (const [name, { folder, entries }] of Object.entries(packages)) {
    const home = join(root, 'node_modules', name)
    const stamp = join(home, '.merged')
    if (existsSync(stamp)) continue
    try {
      await mergeInto(join(home, folder), entries)
      writeFileSync(stamp, '')
    } catch (error) {
      say(`The modules of ${name} are not merged, so commands start more slowly: ${explainFailure(error.message)}`)
    }
  }
}

/** Files are renamed, not rewritten: a program that starts at this moment reads the old or the new one. */
async function mergeInto(folder, entries) {
  const { rolldown } = await import('rolldown')
  const input = Object.fromEntries(entries.map((entry) => [entry, join(folder, `${entry}.js`)]))
  const bundle = await rolldown({ input, platform: 'node', logLevel: 'warn' })
  const merged = mkdtempSync(join(folder, 'merged-'))
  try {
    // What several entry points use must exist once.
    await bundle.write({ dir: merged, entryFileNames: '[name].js', chunkFileNames: 'merged.js' })
    // The shared file first: the entry points import it.
    const files = readdirSync(merged, { recursive: true }).filter((file) => file.endsWith('.js'))
    for (const file of files.sort((a, b) => (b === 'merged.js') - (a === 'merged.js')))
      renameSync(join(merged, file), join(folder, file))
  } finally {
    rmSync(merged, { recursive: true })
  }
}
