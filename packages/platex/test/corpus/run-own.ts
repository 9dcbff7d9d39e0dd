/**
 * Compiles our own documents and compares each with its expectations and with three further passes.
 *
 * Writing records the expectations instead: review the difference before committing it.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { Sandbox } from '../../src/sandbox/types.ts'
import { compileDocument, withoutMarks } from '../support/compile-document.ts'
import { describeCompile, expectationOf, type Expectation } from '../support/corpus-expectation.ts'
import { corpusFile, readCorpus, type CorpusDocument } from '../support/read-corpus.ts'

/** Compiles the named documents, or all; true if all are as expected. */
export async function runOwn(names: readonly string[], isWriting: boolean): Promise<boolean> {
  const sandbox = await openSandbox('auto')
  const corpus = (await readCorpus()).filter(({ name }) => names.length === 0 || names.includes(name))
  const queue = [...corpus]
  let failures = 0
  const work = async (): Promise<void> => {
    for (let document = queue.shift(); document !== undefined; document = queue.shift())
      if (!(await check(document, { sandbox, isWriting }))) failures += 1
  }
  await Promise.all([work(), work()])
  console.log(`${corpus.length - failures} of ${corpus.length} documents as expected`)
  return failures === 0
}

async function check(
  document: CorpusDocument,
  { sandbox, isWriting }: { readonly sandbox: Sandbox; readonly isWriting: boolean },
): Promise<boolean> {
  const expected = JSON.stringify(expectationOf(document))
  const compile = () => compileDocument(document, { sandbox, furtherPasses: 3 })
  const first = await compile()
  // The first document with a font that this machine has to make needs more passes than later ones.
  const compiled = JSON.stringify(describeCompile(first)) === expected ? first : await compile()
  const found = describeCompile(compiled)
  const isFinal = found.end !== 'converged' || withoutMarks(compiled.result.pdf) === withoutMarks(compiled.laterPdf)
  const isExpected = JSON.stringify(found) === expected
  if (isWriting) await writeExpectation(document, found)
  const isGood = isFinal && (isExpected || isWriting)
  const complaint = isFinal ? JSON.stringify(found) : `the PDF changes with further passes: ${JSON.stringify(found)}`
  console.log(`${isGood ? 'ok  ' : 'FAIL'} ${document.name}${isGood && !isWriting ? '' : ` ${complaint}`}`)
  return isGood
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
