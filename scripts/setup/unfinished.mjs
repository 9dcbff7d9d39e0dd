import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// After an interrupted installation dpkg does not know the packages that were not unpacked yet. This list does: it is
// written before apt starts and removed when apt has finished.

const fileOf = (root) => join(root, '.setup', 'unfinished.json')

/**
 * Packages whose installation was started and not finished.
 *
 * @param {string} root Absolute path of the checkout.
 * @returns {readonly string[]}
 */
export function readUnfinished(root) {
  try {
    const names = JSON.parse(readFileSync(fileOf(root), 'utf8'))
    return Array.isArray(names) ? names : []
  } catch {
    // No installation was started, or the file is incomplete: dpkg still knows the unpacked packages.
    return []
  }
}

/**
 * @param {string} root Absolute path of the checkout.
 * @param {readonly string[]} names Empty = all installed.
 */
export function writeUnfinished(root, names) {
  if (names.length === 0) return rmSync(fileOf(root), { force: true })
  mkdirSync(join(root, '.setup'), { recursive: true })
  writeFileSync(fileOf(root), JSON.stringify(names))
}
