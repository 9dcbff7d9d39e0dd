/**
 * `npm run test:equality [-- NAME …]`: compiles the corpus with plain starts, with engines that wait, and after an edit with
 * engines that have read ahead, and compares PDF, errors, warnings, SyncTeX data and inputs.
 */
import type { CompileOutcome } from '../../src/compile/job.ts'
import { comparable, compileBoth, openBoth, type DocumentJob } from '../support/compare-starts.ts'
import { compileEdit } from '../support/compile-ahead.ts'
import { editRoot } from '../support/edit-root.ts'
import { readCorpus } from '../support/read-corpus.ts'

const names = process.argv.slice(2)
const sandboxes = await openBoth()
const documents = (await readCorpus()).filter(({ name }) => names.length === 0 || names.includes(name))
let comparisons = 0
let differences = 0

function report(what: string, one: CompileOutcome, other: CompileOutcome): void {
  const [parts, others] = [comparable(one), comparable(other)]
  const differing = Object.keys(parts).filter((name) => JSON.stringify(parts[name]) !== JSON.stringify(others[name]))
  comparisons += 1
  if (differing.length > 0) differences += 1
  console.log(differing.length === 0 ? `ok   ${what}` : `FAIL ${what}: ${differing.join(', ')} differ`)
}

for (const { name, engine, files } of documents) {
  const document: DocumentJob = { rootFile: 'main.tex', files, engine, synctex: true }
  const { plain, waited, hasWaited } = await compileBoth(document, sandboxes)
  report(`${name} (${engine}, ${hasWaited ? 'waited' : 'plain start'})`, plain, waited)
  for (const share of [0, 0.9]) {
    const edited = { ...document, files: editRoot(files, share) }
    const edit = await compileEdit({ before: document, after: edited, isPlaceKnown: share > 0 }, sandboxes)
    const how = edit.hasReadAhead ? 'read ahead' : 'plain start'
    report(`${name} (${engine}, edited at ${share}, ${how})`, edit.plain, edit.ahead)
  }
}
await sandboxes.waiting.stopWaiting()
console.log(`${comparisons - differences} of ${comparisons} comparisons are equal`)
process.exitCode = differences === 0 ? 0 : 1
