import { readFileSync, writeFileSync } from 'node:fs'

import { measureStructure } from './structure/measure-structure.ts'

// Checks the rules of docs/structure.md for the source tree. docs/structure-debt.json counts the places that still
// break them; `--lower` lowers the counts to the current number. Imports between folders are checked with the layers.

process.chdir(new URL('..', import.meta.url).pathname)
const debtFile = 'docs/structure-debt.json'
const debt: Readonly<Record<string, number>> = JSON.parse(readFileSync(debtFile, 'utf8'))
const { writingQueries, foldersTooLarge, filesToMerge, mutualFolders } = measureStructure('.')
const rules: Readonly<Record<string, readonly string[]>> = {
  'a function called find… or list… writes: rename it': writingQueries,
  'a folder has more than 20 source files: divide it by subject': foldersTooLarge,
  'a file under 25 lines has one importer, in the same folder: merge it into that one': filesToMerge,
  'two folders import each other: move what both need below them': mutualFolders,
}

if (process.argv.includes('--lower')) {
  const counts = Object.entries(rules).map(
    ([rule, { length }]) => [rule, Math.min(length, debt[rule] ?? length)] as const,
  )
  writeFileSync(debtFile, `${JSON.stringify(Object.fromEntries(counts.filter(([, count]) => count > 0)), null, 2)}\n`)
} else {
  for (const [rule, places] of Object.entries(rules)) {
    const allowed = debt[rule] ?? 0
    if (places.length <= allowed) continue
    console.error(
      `${places.map((place) => `${place}\n`).join('')}${rule} (${places.length}; ${debtFile} allows ${allowed})`,
    )
    process.exitCode = 1
  }
}
