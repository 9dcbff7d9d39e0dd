/**
 * `npm run test:equality [-- NAME …]`: compiles the corpus with plain starts and with engines that wait, and compares PDF,
 * errors, warnings, SyncTeX data and inputs.
 */
import { comparable, compileBoth, openBoth } from '../support/compare-starts.ts'
import { readCorpus } from '../support/read-corpus.ts'

const names = process.argv.slice(2)
const sandboxes = await openBoth()
const documents = (await readCorpus()).filter(({ name }) => names.length === 0 || names.includes(name))
let differences = 0
for (const { name, engine, files } of documents) {
  const { plain, waited, hasWaited } = await compileBoth(
    { rootFile: 'main.tex', files, engine, synctex: true },
    sandboxes,
  )
  const isEqual = JSON.stringify(comparable(plain)) === JSON.stringify(comparable(waited))
  if (!isEqual) differences += 1
  console.log(`${isEqual ? 'ok  ' : 'FAIL'} ${name} (${engine}, ${hasWaited ? 'waited' : 'plain start'})`)
}
await sandboxes.waiting.stopWaiting()
console.log(`${documents.length - differences} of ${documents.length} documents are equal`)
process.exitCode = differences === 0 ? 0 : 1
