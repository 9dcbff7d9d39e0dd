import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { buildPlatex } from './build-platex.mjs'
import { explainFailure } from './explain-failure.mjs'
import { findMissingPackages } from './find-missing-packages.mjs'
import { runPackages, testPackages } from './host-packages.mjs'
import { installHostPackages } from './install-host-packages.mjs'
import { installNpmPackages } from './install-npm-packages.mjs'
import { makeMissingFormats } from './make-missing-formats.mjs'
import { mergeModules } from './merge-modules.mjs'
import { mergeSources } from './merge-sources.mjs'
import { say } from './progress.mjs'
import { readUnfinished } from './unfinished.mjs'

/**
 * Installs what `texproof serve` or the tests require. Fast if everything is installed.
 *
 * @param {'run' | 'dev' | 'test'} mode
 * @param {import('./host-packages.mjs').Profile} [profile] Size of TeX; default: `full` if there is no TeX.
 * @returns {Promise<number>} Exit code: 0 = continue, 1 = the project cannot run, and the reason has been printed.
 */
export async function runSetup(mode, profile) {
  const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')
  try {
    if (!(await installNpmPackages(root))) return 1
    await mergeModules(root)
    const packages = mode === 'test' ? [...runPackages, ...testPackages] : runPackages
    const found = findMissingPackages(packages, { profile, unfinished: readUnfinished(root) })
    if (found.missing.length > 0) await installHostPackages(found, root)
    await makeMissingFormats()
    // Development uses the sources.
    if (mode !== 'dev') {
      await mergeSources(root)
      await buildPlatex(root)
    }
    return 0
  } catch (error) {
    say(`The set-up failed.\n${explainFailure(error.message)}`)
    return 1
  }
}
