/**
 * The order of names for people: `branch-2` before `branch-10`, in upper and lower case alike. Names that differ only in
 * case or in leading zeros are ordered by their bytes, so the order is total.
 */
import { compareUtf8 } from './compare-utf8.ts'

/** Sorts by name in natural order, reading each name once. */
export function sortNaturally<T extends { readonly name: string }>(items: readonly T[]): readonly T[] {
  const keyed = items.map((item) => ({ item, runs: item.name.toLowerCase().match(/[0-9]+|[^0-9]+/g) ?? [] }))
  keyed.sort((left, right) => compareRuns(left.runs, right.runs) || compareUtf8(left.item.name, right.item.name))
  return keyed.map(({ item }) => item)
}

/** Sorts names in natural order. */
export function sortNames(names: readonly string[]): readonly string[] {
  return sortNaturally(names.map((name) => ({ name }))).map(({ name }) => name)
}

function compareRuns(left: readonly string[], right: readonly string[]): number {
  for (const [index, run] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    const order = isNumber(run) && isNumber(other) ? compareNumbers(run, other) : compareUtf8(run, other)
    if (order !== 0) return order
  }
  return left.length - right.length
}

function isNumber(run: string): boolean {
  return /^[0-9]/.test(run)
}

/** Compares by value, of any length. */
function compareNumbers(left: string, right: string): number {
  const [a, b] = [left.replace(/^0+/, ''), right.replace(/^0+/, '')]
  return a.length - b.length || compareUtf8(a, b)
}
