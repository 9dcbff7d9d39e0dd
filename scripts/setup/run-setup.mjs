import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { buildPlatex } from './build-platex.mjs'
import { explainFailure } from './explain-failure.mjs'
import { findMissingPackages } from './find-missing-packages.mjs'
import { runPackages, testPackages } from './host-packages.mjs'
import { installHostPackages } from './install-host-packages.mjs'
import { installNpmPackages } from './install-npm-packages.mjs'
import { makeMissingFormats } from './make-missing-formats.mjs'
import { say } from './progress.mjs'
import { readUnfinished } from './unfinished.mjs'

/**
 * Brings a fresh checkout on a fresh machine to where `texproof serve` or the tests can run; quick when all is there.
 *
 * @param {'run' | 'dev' | 'test'} mode
 * @param {import('./host-packages.mjs').Profile} [profile] How much TeX; else `full` where there is none.
 * @returns {Promise<number>} Exit code: 0 = go on, 1 = the project cannot run and why has been said.
 */
export async function runSetup(mode, profile) {
  const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')
  try {
    if (!(await installNpmPackages(root))) return 1
    const packages = mode === 'test' ? [...runPackages, ...testPackages] : runPackages
    const found = findMissingPackages(packages, { profile, unfinished: readUnfinished(root) })
    if (found.missing.length > 0) await installHostPackages(found, root)
    await makeMissingFormats()
    // Whoever changes the sources runs them.
    if (mode !== 'dev') await buildPlatex(root)
    return 0
  } catch (error) {
    say(`The set-up failed.\n${explainFailure(error.message)}`)
    return 1
  }
}
