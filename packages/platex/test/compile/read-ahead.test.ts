import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { ReadAhead, Sandbox } from '../../src/sandbox/types.ts'
import { replaceFiles } from '../../src/sandbox/waiting/input-pipe.ts'
import { compileAndReadAhead, compileInSession } from '../../src/compile/sessions/compile-in-session.ts'
import { prepareReaders } from '../../src/compile/sessions/prepare-readers.ts'
import { listReaders, takeReader } from '../../src/compile/readers/reader-store.ts'
import { resolveJob, runPipeline } from '../../src/compile/run-pipeline.ts'
import { comparable, EPOCH, openBoth, type DocumentJob } from '../support/compare-starts.ts'
import { eventually } from '../support/eventually.ts'
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
  ['the list of files', documentOf('Ebb.'), withFile('part.tex', 'Flow.')],
]
for (const [what, before, edited] of changed) {
  test(`an engine that has read ahead is not used after a change of ${what}`, async () => {
    const { plain, ahead } = await compileEdit({ before, after: edited, isPlaceKnown: true }, sandboxes)
    assert.deepEqual(comparable(ahead), comparable(plain))
  })
}

test('an engine that has read the preamble is used after a change of a file that it has not opened', async () => {
  const edit = { before: withFile('part.tex', 'Ebb.'), after: withFile('part.tex', 'Flow.'), isPlaceKnown: false }
  const { plain, ahead, hasReadAhead } = await compileEdit(edit, sandboxes)
  assert.equal(hasReadAhead, true)
  assert.deepEqual(comparable(ahead), comparable(plain))
})

test('an engine that has opened a changed file is not used', async () => {
  const inPreamble = (text: string): DocumentJob =>
    withFiles(withFile('part.tex', text), (root) =>
      root.replace('\\begin{document}', '\\input{part}\n\\begin{document}'),
    )
  const edit = { before: inPreamble('\\def\\ebb{ebb}'), after: inPreamble('\\def\\ebb{flow}'), isPlaceKnown: false }
  const { plain, ahead, hasReadAhead } = await compileEdit(edit, sandboxes)
  assert.equal(hasReadAhead, false)
  assert.deepEqual(comparable(ahead), comparable(plain))
})

test('an engine that has read the preamble is not used after a change of its font map', async () => {
  // Without `=`, the line would replace the default map, and the first compile on a machine would make bitmap fonts.
  const mapped = documentOf(String.raw`Ebb. \pdfmapline{=cmr10 CMR10 <cmr10.pfb}`)
  const edit = { before: documentOf('Ebb.'), after: mapped, isPlaceKnown: false }
  const { plain, ahead, hasReadAhead } = await compileEdit(edit, sandboxes)
  assert.equal(hasReadAhead, false)
  assert.deepEqual(comparable(ahead), comparable(plain))
})

test('a session of one bibliography tool leaves nothing to another tool', async () => {
  const address = { owner: 'alice', key: 'bibliographies' }
  const job = { timeoutMs: 60_000, ...withFiles(documentOf('Ebb.'), withoutError), sandbox: sandboxes.plain }
  const starts: boolean[] = []
  for (const bibliography of ['bibtex', 'biber', 'biber'] as const)
    await compileInSession({ ...job, bibliography }, address, async ({ warmStartFiles }) => {
      starts.push(warmStartFiles !== undefined)
    })
  assert.deepEqual(starts, [false, false, true])
})

test('a session starts from its last compile without errors, or from the last one if all had errors', async () => {
  const address = { owner: 'alice', key: 'errors' }
  const labels: (string | undefined)[] = []
  for (const [label, hasError] of [
    ['a', true],
    ['b', true],
    ['c', false],
    ['d', true],
    ['e', true],
  ] as const) {
    const document = documentOf(`\\label{${label}}`)
    const job = { timeoutMs: 60_000, ...(hasError ? document : withFiles(document, withoutError)) }
    await compileInSession({ ...job, sandbox: sandboxes.plain }, address, async ({ warmStartFiles }) => {
      const aux = Buffer.from(warmStartFiles?.get('main.aux') ?? []).toString()
      labels.push(/\\newlabel\{([a-e])\}/.exec(aux)?.[1])
    })
  }
  assert.deepEqual(labels, [undefined, 'a', 'b', 'c', 'c'])
})

test('a folder that the document has replaced by a link is not written through', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'read-ahead-'))
  const workspaceDir = await mkdtemp(join(tmpdir(), 'read-ahead-'))
  await symlink(outside, join(workspaceDir, 'parts'))
  try {
    await assert.rejects(replaceFiles(workspaceDir, new Map([['parts/tides.tex', Buffer.from('Ebb.')]])))
    assert.deepEqual(await readdir(outside), [])
  } finally {
    for (const folder of [outside, workspaceDir]) await rm(folder, { recursive: true })
  }
})

test('a document whose caller keeps its auxiliary files is read ahead for its next compile', async () => {
  const { sandbox, started } = watchReaders(sandboxes.waiting)
  const document = { owner: 'alice', key: 'tides', isWorthwhile: () => true }
  const good = (text: string): DocumentJob => withFiles(documentOf(text), withoutError)
  const job = { timeoutMs: 60_000, sourceDateEpoch: EPOCH, sandbox }
  const first = await compileAndReadAhead({ ...job, ...good('Ebb.') }, document)
  const reader = await keptAlive(() => started)
  const edited = { ...job, ...good('Flow.'), warmStartFiles: first.aux }
  const ahead = await compileAndReadAhead(edited, { ...document, isWorthwhile: () => false })
  assert.equal(reader?.isWaiting(), false)
  assert.deepEqual(comparable(ahead), comparable(await runPipeline({ ...edited, sandbox: sandboxes.plain })))
})

test('engines read ahead again after a compile of a session that was cancelled', async () => {
  const readers: (ReadAhead | null)[] = []
  const readAhead: Sandbox['readAhead'] = async (command, order) => {
    const reader = await sandboxes.waiting.readAhead(command, order)
    if (order.onEvicted !== null) readers.push(reader)
    return reader
  }
  const session = { owner: 'alice', key: 'cancelled' }
  const jobOf = (text: string) => ({
    timeoutMs: 60_000,
    ...withFiles(documentOf(text), withoutError),
    sandbox: { ...sandboxes.waiting, readAhead },
  })
  const first = jobOf('Ebb.')
  await compileInSession(first, session)
  await eventually(() => readers.length === 1)
  const looping = { ...first, files: jobOf(String.raw`\def\x{\x}\x`).files, signal: AbortSignal.timeout(1_000) }
  await assert.rejects(
    keptAlive(() => compileInSession(looping, session)),
    { name: 'TimeoutError' },
  )
  const again = await eventually(() => readers[1])
  assert.deepEqual([readers[0]?.isWaiting(), again.isWaiting()], [false, true])
})

test('the build of another repository leaves what was read ahead alone', async () => {
  const { sandbox, started } = watchReaders(sandboxes.waiting)
  const build = { key: 'build of refs/heads/main', isWorthwhile: () => true }
  const job = { timeoutMs: 60_000, sourceDateEpoch: EPOCH, sandbox, ...withFiles(documentOf('Ebb.'), withoutError) }
  const { aux } = await compileAndReadAhead(job, { ...build, owner: 'repository 1' })
  const reader = await keptAlive(() => started)
  const other = { ...build, owner: 'repository 2', isWorthwhile: () => false }
  await compileAndReadAhead({ ...job, warmStartFiles: aux }, other)
  assert.equal(reader?.isWaiting(), true)
})

for (const [engine, query] of [
  ['pdflatex', String.raw`\pdffilesize{\jobname.tex}`],
  ['pdflatex', String.raw`\csname file_size:n\endcsname{\jobname}`],
  ['lualatex', String.raw`\directlua{tex.print(lfs.attributes(tex.jobname .. ".tex").size)}`],
] as const) {
  test(`a document that prints its size by ${query} is not read ahead`, async () => {
    const job = (text: string) =>
      withFiles(documentOf(text, { engine }), (root) => root.replace('Tides,', () => `${query} Tides,`))
    const { plain, ahead, hasReadAhead } = await compileEdit(
      { before: job('Ebb.'), after: job('Flow.'), isPlaceKnown: true },
      sandboxes,
    )
    assert.equal(hasReadAhead, false)
    assert.deepEqual(comparable(ahead), comparable(plain))
  })
}

for (const name of ['pier.dtx', String.raw`\jobname.dtx`]) {
  test(`a documented source that reads itself as ${name} is not read ahead`, async () => {
    const job = (text: string): DocumentJob => {
      const root = String.raw`% \iffalse
\documentclass{ltxdoc}
\begin{document}
\label{pier}Page \pageref{pier}.
\DocInput{${name}}
\end{document}
% \fi
% A pier.
%
% ${text}
`
      return { rootFile: 'pier.dtx', files: new Map([['pier.dtx', Buffer.from(root)]]), engine: 'pdflatex' }
    }
    const { plain, ahead, hasReadAhead } = await compileEdit(
      { before: job('Ebb.'), after: job('Flow.'), isPlaceKnown: true },
      sandboxes,
    )
    assert.deepEqual(comparable(ahead), comparable(plain))
    assert.equal(hasReadAhead, false)
  })
}

test('an engine that has read the document of one owner is not given to another', async () => {
  const common = { timeoutMs: 60_000, sourceDateEpoch: EPOCH, sandbox: sandboxes.waiting }
  const first = await runPipeline({ ...common, ...documentOf('Ebb.') })
  const { job } = resolveJob({ ...common, ...documentOf('Ebb.'), warmStartFiles: first.aux })
  const document = { owner: 'alice', key: 'tides' }
  await keptAlive(() => prepareReaders(job, { document, editedAt: null }))
  assert.equal(await takeReader({ ...job, document: { owner: 'bob', key: 'tides' } }), null)
  assert.equal(listReaders(sandboxes.waiting, document).length, 1)
})

test('an engine that has read ahead ends with the sandbox', async () => {
  const [{ waiting }] = [await openBoth()]
  const common = { timeoutMs: 60_000, sourceDateEpoch: EPOCH, sandbox: waiting }
  const first = await runPipeline({ ...common, ...documentOf('Ebb.') })
  const { job } = resolveJob({ ...common, ...documentOf('Ebb.'), warmStartFiles: first.aux })
  const document = { owner: 'alice', key: 'tides' }
  await keptAlive(() => prepareReaders(job, { document, editedAt: null }))
  await waiting.stopWaiting()
  assert.deepEqual([waiting.waitingStatus().programs, listReaders(waiting, document)], [[], []])
})

test('an edit that makes the document loop ends at its deadline', async () => {
  const looping = documentOf(String.raw`\def\x{\x}\x`, { timeoutMs: 3_000 })
  const { ahead } = await compileEdit({ before: documentOf('Ebb.'), after: looping, isPlaceKnown: true }, sandboxes)
  assert.match(ahead.result.errors[0]?.message ?? '', /timed out after 3000 ms/)
})

function withoutError(root: string): string {
  return root.replace('\\wrong', '')
}

/** A sandbox that reports the first program that reads ahead for another compile. */
function watchReaders(waiting: Sandbox): { readonly sandbox: Sandbox; readonly started: Promise<ReadAhead | null> } {
  const { promise: started, resolve } = Promise.withResolvers<ReadAhead | null>()
  const readAhead: Sandbox['readAhead'] = async (command, order) => {
    const reader = await waiting.readAhead(command, order)
    // Those for the next pass of the same compile cannot be evicted.
    if (order.onEvicted !== null) resolve(reader)
    return reader
  }
  return { sandbox: { ...waiting, readAhead }, started }
}

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
