/**
 * The order of tags: newest version first.
 *
 * A name is a prefix up to its first digit, followed by runs of digits or letters; other characters only separate them.
 * Numbers are compared by value, and letters by byte. If one name ends, the other is older if it continues with a word
 * (a pre-release), and newer if it continues with a number (a patch). Otherwise equal names are compared by their
 * bytes, so the order is total.
 *
 * Source: REST contract §6.
 */

import { compareUtf8 } from '../text/compare-utf8.ts'

/** Compares two names so that `sort` puts the newest version first. */
export function compareVersionsDescending(a: string, b: string): number {
  return compareKeys(versionKey(b), versionKey(a))
}

/** Sorts names newest version first, reading each name once. */
export function sortByVersionDescending<T extends { readonly name: string }>(items: readonly T[]): readonly T[] {
  const keyed = items.map((item) => ({ item, key: versionKey(item.name) }))
  keyed.sort((a, b) => compareKeys(b.key, a.key))
  return keyed.map(({ item }) => item)
}

/** The newest version without sorting the others; null if there are none. */
export function findNewestVersion<T extends { readonly name: string }>(items: readonly T[]): T | null {
  let newest: { readonly item: T; readonly key: VersionKey } | null = null
  for (const item of items) {
    const key = versionKey(item.name)
    if (newest === null || compareKeys(key, newest.key) > 0) newest = { item, key }
  }
  return newest?.item ?? null
}

type Run = bigint | number | string

interface VersionKey {
  readonly name: string
  readonly prefix: string
  readonly runs: readonly Run[]
}

function versionKey(name: string): VersionKey {
  const firstDigit = name.search(/[0-9]/)
  if (firstDigit < 0) return { name, prefix: name, runs: [] }
  const runs = name.slice(firstDigit).match(/[0-9]+|[A-Za-z]+/g) ?? []
  return { name, prefix: name.slice(0, firstDigit), runs: runs.map(toRun) }
}

function toRun(text: string): Run {
  if (!/^[0-9]/.test(text)) return text
  // Fifteen digits fit a double exactly; longer numbers are rare and slower.
  return text.length <= 15 ? Number(text) : BigInt(text)
}

function compareKeys(a: VersionKey, b: VersionKey): number {
  return compareUtf8(a.prefix, b.prefix) || compareRuns(a.runs, b.runs) || compareUtf8(a.name, b.name)
}

function compareRuns(a: readonly Run[], b: readonly Run[]): number {
  const length = Math.max(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    const order = compareRun(a[index], b[index])
    if (order !== 0) return order
  }
  return 0
}

function compareRun(a: Run | undefined, b: Run | undefined): number {
  const kind = kindOf(a) - kindOf(b)
  if (kind !== 0 || a === undefined || b === undefined) return kind
  if (typeof a === 'string' && typeof b === 'string') return compareUtf8(a, b)
  return a < b ? -1 : a > b ? 1 : 0
}

/** Word < end < number. */
function kindOf(run: Run | undefined): number {
  if (run === undefined) return 1
  return typeof run === 'string' ? 0 : 2
}
