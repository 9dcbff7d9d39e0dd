import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// An installation that is cut short leaves packages that dpkg has never heard of: nothing but this list says that they
// are wanted. It is written before apt starts and removed when apt is done.

const fileOf = (root) => join(root, '.setup', 'unfinished.json')

/**
 * Names of packages whose installation was begun and not finished.
 *
 * @param {string} root Absolute path of the checkout.
 * @returns {readonly string[]}
 */
export function readUnfinished(root) {
  try {
    const names = JSON.parse(readFileSync(fileOf(root), 'utf8'))
    return Array.isArray(names) ? names : []
  } catch {
    // Nothing was begun, or a write was cut short: dpkg still knows what is half done.
    return []
  }
}

/**
 * @param {string} root Absolute path of the checkout.
 * @param {readonly string[]} names None = all is done.
 */
export function writeUnfinished(root, names) {
  if (names.length === 0) return rmSync(fileOf(root), { force: true })
  mkdirSync(join(root, '.setup'), { recursive: true })
  writeFileSync(fileOf(root), JSON.stringify(names))
}
