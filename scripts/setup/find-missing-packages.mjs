import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The rows that the host lacks, in their order; rows that come with TeX are named only when TeX itself is missing.
 *
 * @param {readonly import('./host-packages.mjs').HostPackage[]} packages
 */
export function findMissingPackages(packages) {
  const foundTexFiles = findTexFiles(packages.flatMap((row) => row.texFiles ?? []))
  const isMissing = (row) =>
    !(row.programs ?? []).every(hasProgram) ||
    !(row.files ?? []).every(hasFile) ||
    !(row.texFiles ?? []).every((name) => foundTexFiles.has(name))
  const isTexMissing = packages.some((row) => row.programs?.includes('pdflatex')) && !hasProgram('pdflatex')
  return packages.filter((row) => (row.withTex ? isTexMissing : isMissing(row)))
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
    // Absent or not ours to run: the program counts as missing.
    return false
  }
}

function hasFile(alternatives) {
  return alternatives.split('|').some((path) => existsSync(path))
}

/** One start of kpsewhich answers for all names: it prints the path of each that it finds. */
function findTexFiles(names) {
  if (names.length === 0) return new Set()
  const { stdout } = spawnSync('kpsewhich', names, { encoding: 'utf8' })
  return new Set((stdout ?? '').split('\n').map((path) => path.slice(path.lastIndexOf('/') + 1)))
}
