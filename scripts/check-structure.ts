import { measureStructure } from './structure/measure-structure.ts'

// Checks the rules of docs/structure.md for the source tree. Imports between folders are checked with the layers.

process.chdir(new URL('..', import.meta.url).pathname)
const { writingQueries, foldersTooLarge, filesToMerge, mutualFolders } = measureStructure('.')
const rules: Readonly<Record<string, readonly string[]>> = {
  'a function called find… or list… writes: rename it': writingQueries,
  'a folder has more than 20 source files: divide it by subject': foldersTooLarge,
  'a file under 25 lines has one importer, in the same folder: merge it into that one': filesToMerge,
  'two folders import each other: move what both need below them': mutualFolders,
}

for (const [rule, places] of Object.entries(rules)) {
  if (places.length === 0) continue
  console.error(`${places.join('\n')}\n${rule}`)
  process.exitCode = 1
}
