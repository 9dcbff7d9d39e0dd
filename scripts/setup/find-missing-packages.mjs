import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { isInterrupted, readPackageStates } from './read-package-states.mjs'

/**
 * The packages that this machine lacks, in their order. Programs of a package whose installation was interrupted exist
 * but do not work: such a package is missing too, and `interrupted`.
 *
 * @param {readonly import('./host-packages.mjs').HostPackage[]} packages
 * @param {object} [options]
 * @param {import('./host-packages.mjs').Profile} [options.profile] The requested profile; default: `full` if TeX is missing.
 * @param {readonly string[]} [options.unfinished] Packages whose installation was started and not finished.
 * @param {readonly string[]} [options.dpkgOptions] Select another database.
 * @returns {{ missing: import('./host-packages.mjs').HostPackage[], interrupted: import('./host-packages.mjs').HostPackage[] }}
 */
export function findMissingPackages(packages, { profile, unfinished = [], dpkgOptions = [] } = {}) {
  const foundTexFiles = findTexFiles(packages.flatMap((row) => row.texFiles ?? []))
  const states = readPackageStates(
    packages.map((row) => row.name),
    dpkgOptions,
  )
  const isTexMissing = packages.some((row) => row.programs?.includes('pdflatex')) && !hasProgram('pdflatex')
  const wanted = profile ?? (isTexMissing ? 'full' : undefined)
  const isPresent = (row) =>
    (row.programs ?? []).every(hasProgram) &&
    (row.files ?? []).every(hasFile) &&
    (row.texFiles ?? []).every((name) => foundTexFiles.has(name))
  const isMissing = (row) => {
    if (isInterrupted(states.get(row.name))) return true
    if (row.profile === undefined) return !isPresent(row)
    const isWanted = wanted === 'full' || row.profile === wanted || unfinished.includes(row.name)
    return isWanted && states.get(row.name) !== 'installed'
  }
  return {
    missing: packages.filter(isMissing),
    interrupted: packages.filter((row) => isInterrupted(states.get(row.name))),
  }
}

function hasProgram(alternatives) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return alternatives.split('|').some((name) => folders.some((folder) => isExecutable(join(folder, name))))
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // Absent or not executable: the program is missing.
    return false
  }
}

function hasFile(alternatives) {
  return alternatives.split('|').some((path) => existsSync(path))
}

/** One run of kpsewhich looks up all names: it prints the path of each one found. */
function findTexFiles(names) {
  if (names.length === 0) return new Set()
  const { stdout } = spawnSync('kpsewhich', names, { encoding: 'utf8' })
  return new Set((stdout ?? '').split('\n').map((path) => path.slice(path.lastIndexOf('/') + 1)))
}
