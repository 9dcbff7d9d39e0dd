import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { prepareReaders } from '../../src/compile/sessions/prepare-readers.ts'
import { listReaders, takeReader } from '../../src/compile/readers/reader-store.ts'
import { resolveJob, runPipeline } from '../../src/compile/run-pipeline.ts'
import { comparable, EPOCH, openBoth, type DocumentJob } from '../support/compare-starts.ts'
import { compileEdit, keptAlive } from '../support/compile-ahead.ts'

const sandboxes = await openBoth()
after(() => sandboxes.waiting.stopWaiting())

/** Pages, references, an error and a warning, each with its line. */
function documentOf(text: string, more: Partial<DocumentJob> = {}): DocumentJob {
  const root = String.raw`\documentclass{article}
\newwrite\notes
\begin{document}
\tableofcontents
\section{One}\label{one}

Tides, \today, page \pageref{two}. \immediate\write16{\jobname}

${text}

\section{Two}\label{two}
\ref{one} \ref{missing} \wrong
\newpage\hbox to 2cm{too wide for its box of two centimetres}
\end{document}
`
  return { rootFile: 'main.tex', files: new Map([['main.tex', Buffer.from(root)]]), engine: 'pdflatex', ...more }
}

for (const [engine, isPlaceKnown] of [
  ['pdflatex', false],
  ['pdflatex', true],
  ['xelatex', true],
  ['lualatex', true],
] as const) {
  const what = isPlaceKnown ? 'everything before the edit' : 'the preamble'
  test(`${engine} that has read ${what} makes the PDF and the messages of a plain start`, async () => {
    const before = documentOf('Ebb.', { engine, synctex: true })
    const edited = documentOf('Ebb and flow.', { engine, synctex: true })
    const { plain, ahead, hasReadAhead } = await compileEdit({ before, after: edited, isPlaceKnown }, sandboxes)
    assert.equal(hasReadAhead, true)
    assert.deepEqual(comparable(ahead), comparable(plain))
    assert.deepEqual(
      ahead.result.logs[0]?.log.split('\n').slice(0, 8),
      plain.result.logs[0]?.log.split('\n').slice(0, 8),
    )
  })
}

test('a document in a folder is read ahead in that folder', async () => {
  const inFolder = (text: string): DocumentJob => {
    const [root] = [...documentOf(text).files.values()]
    return {
      rootFile: 'papers/tides.tex',
      engine: 'pdflatex',
      files: new Map([['papers/tides.tex', root ?? Buffer.of()]]),
    }
  }
  const edit = { before: inFolder('Ebb.'), after: inFolder('Flow.'), isPlaceKnown: true }
  const { plain, ahead, hasReadAhead } = await compileEdit(edit, sandboxes)
  assert.equal(hasReadAhead, true)
  assert.deepEqual(comparable(ahead), comparable(plain))
})

const changed: readonly [string, DocumentJob, DocumentJob][] = [
  ['the preamble', documentOf('Ebb.'), withFiles(documentOf('Ebb.'), (text) => text.replace('article', 'report'))],
  ['another file', withFile('part.tex', 'Ebb.'), withFile('part.tex', 'Flow.')],
  ['the list of files', documentOf('Ebb.'), withFile('part.tex', 'Flow.')],
]
for (const [what, before, edited] of changed) {
  test(`an engine that has read ahead is not used after a change of ${what}`, async () => {
    const { plain, ahead } = await compileEdit({ before, after: edited, isPlaceKnown: true }, sandboxes)
    assert.deepEqual(comparable(ahead), comparable(plain))
  })
}

test('a document that asks for the size of files is not read ahead', async () => {
  const job = (text: string) => documentOf(String.raw`${text} \pdffilesize{\jobname.tex}`)
  const { plain, ahead, hasReadAhead } = await compileEdit(
    { before: job('Ebb.'), after: job('Flow.'), isPlaceKnown: true },
    sandboxes,
  )
  assert.equal(hasReadAhead, false)
  assert.deepEqual(comparable(ahead), comparable(plain))
})

test('an engine that has read the document of one owner is not given to another', async () => {
  const common = { timeoutMs: 60_000, sourceDateEpoch: EPOCH, sandbox: sandboxes.waiting }
  const first = await runPipeline({ ...common, ...documentOf('Ebb.') })
  const { job } = resolveJob({ ...common, ...documentOf('Ebb.'), warmStartFiles: first.aux })
  const document = { owner: 'alice', key: 'tides' }
  await keptAlive(() => prepareReaders(job, { document, editedAt: null, editedPage: null }))
  assert.equal(await takeReader({ ...job, document: { owner: 'bob', key: 'tides' } }), null)
  assert.equal(listReaders(sandboxes.waiting, document).length, 1)
})

test('an engine that has read ahead ends with the sandbox', async () => {
  const [{ waiting }] = [await openBoth()]
  const common = { timeoutMs: 60_000, sourceDateEpoch: EPOCH, sandbox: waiting }
  const first = await runPipeline({ ...common, ...documentOf('Ebb.') })
  const { job } = resolveJob({ ...common, ...documentOf('Ebb.'), warmStartFiles: first.aux })
  const document = { owner: 'alice', key: 'tides' }
  await keptAlive(() => prepareReaders(job, { document, editedAt: null, editedPage: null }))
  await waiting.stopWaiting()
  assert.deepEqual([waiting.waitingStatus().programs, listReaders(waiting, document)], [[], []])
})

test('an edit that makes the document loop ends at its deadline', async () => {
  const looping = documentOf(String.raw`\def\x{\x}\x`, { timeoutMs: 3_000 })
  const { ahead } = await compileEdit({ before: documentOf('Ebb.'), after: looping, isPlaceKnown: true }, sandboxes)
  assert.match(ahead.result.errors[0]?.message ?? '', /timed out after 3000 ms/)
})

function withFile(path: string, text: string): DocumentJob {
  const job = documentOf(String.raw`\IfFileExists{part.tex}{\input{part}}{None.}`)
  return { ...job, files: new Map([...job.files, [path, Buffer.from(text)]]) }
}

function withFiles(job: DocumentJob, change: (text: string) => string): DocumentJob {
  return {
    ...job,
    files: new Map([...job.files].map(([path, bytes]) => [path, Buffer.from(change(`${Buffer.from(bytes)}`))])),
  }
}
