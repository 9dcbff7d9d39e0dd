/**
 * Compiles the whole corpus and checks every document against its expectations and against three further passes.
 *
 * `--write` writes the expectations down instead: read the difference before committing it. Names as arguments choose
 * documents.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { compileDocument, withoutMarks } from '../support/compile-document.ts'
import { describeCompile, expectationOf, type Expectation } from '../support/corpus-expectation.ts'
import { corpusFile, readCorpus, type CorpusDocument } from '../support/read-corpus.ts'

const isWriting = process.argv.includes('--write')
const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const sandbox = await openSandbox('auto')
const corpus = (await readCorpus()).filter(({ name }) => chosen.length === 0 || chosen.includes(name))
let failures = 0
const queue = [...corpus]
await Promise.all(Array.from({ length: 2 }, work))
console.log(`${corpus.length - failures} of ${corpus.length} documents as expected`)
process.exitCode = failures === 0 ? 0 : 1

async function work(): Promise<void> {
  for (let document = queue.shift(); document !== undefined; document = queue.shift()) await check(document)
}

async function check(document: CorpusDocument): Promise<void> {
  const compiled = await compileDocument(document, { sandbox, furtherPasses: 3 })
  const found = describeCompile(compiled)
  const isFinal = found.end !== 'converged' || withoutMarks(compiled.result.pdf) === withoutMarks(compiled.laterPdf)
  const isExpected = JSON.stringify(found) === JSON.stringify(expectationOf(document))
  if (isWriting) await writeExpectation(document, found)
  const isGood = isFinal && (isExpected || isWriting)
  if (!isGood) failures += 1
  const complaint = isFinal ? JSON.stringify(found) : `the PDF changes with further passes: ${JSON.stringify(found)}`
  console.log(`${isGood ? 'ok  ' : 'FAIL'} ${document.name}${isGood && !isWriting ? '' : ` ${complaint}`}`)
}

async function writeExpectation({ name, engine, isQuick }: CorpusDocument, found: Expectation): Promise<void> {
  const file = corpusFile(name)
  const text = await readFile(file, 'utf8')
  const head = [
    `engine: ${engine}`,
    ...(isQuick ? ['quick: yes'] : []),
    `passes: ${found.passes}`,
    ...(found.tools.length > 0 ? [`tools: ${found.tools.join(' | ')}`] : []),
    ...(found.errors.length > 0 ? [`errors: ${found.errors.join(' | ')}`] : []),
    ...(found.end === 'converged' ? [] : [`end: ${found.end}`]),
  ]
  await writeFile(file, `${head.join('\n')}\n${text.slice(text.indexOf('-- '))}`)
}
