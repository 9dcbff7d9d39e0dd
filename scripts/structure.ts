/**
 * `npm run structure`: the figures of docs/structure.md, with their goals, and the places that break a rule.
 * `npm run structure -- FOLDER` measures another checkout.
 */
import { measureStructure } from './structure/measure-structure.ts'

const root = process.argv[2] ?? new URL('..', import.meta.url).pathname
const found = measureStructure(root)
const rows: readonly (readonly [title: string, value: number | string, goal: string])[] = [
  ['source files', found.files, '≤ 760'],
  ['lines of source', found.lines, '≤ 53,000'],
  ['median lines of a source file', found.medianLines, '60–65'],
  ['test files', found.tests.files, ''],
  ['lines of tests', found.tests.lines, ''],
  ['files with exactly one importer', found.singleImporter, ''],
  ['of them with at most 40 lines', found.smallSingleImporter, ''],
  ['of them under 25 lines, in the folder of the importer', found.filesToMerge.length, '0'],
  ['largest folder', found.largestFolder, '≤ 20'],
  ['folders with more than 20 source files', found.foldersTooLarge.length, '0'],
  ['pairs of folders that import each other', found.mutualFolders.length, '0'],
  ['imports from a higher layer', found.upwardImports.length, '0'],
  ['find… and list… functions that write', found.writingQueries.length, '0'],
]
console.log('| Figure | Now | Goal |\n|---|---:|---:|')
for (const [title, value, goal] of rows) console.log(`| ${title} | ${value.toLocaleString('en')} | ${goal} |`)
show('Folders with more than 20 source files', found.foldersTooLarge)
show('Merge into the only importer', found.filesToMerge)
show('Folders that import each other', found.mutualFolders)
show('Imports from a higher layer', found.upwardImports)
show('Functions that read by name but write', found.writingQueries)

function show(title: string, places: readonly string[]): void {
  if (places.length > 0) console.log(`\n${title}:\n${places.map((place) => `  ${place}`).join('\n')}`)
}
