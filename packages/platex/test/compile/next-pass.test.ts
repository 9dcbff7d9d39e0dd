import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { after, test } from 'node:test'
import type { CompileOutcome } from '../../src/compile/job.ts'
import { runPipeline } from '../../src/compile/run-pipeline.ts'
import type { Sandbox } from '../../src/sandbox/types.ts'
import { comparable, EPOCH, openBoth, type DocumentJob } from '../support/compare-starts.ts'

const sandboxes = await openBoth()
after(() => sandboxes.waiting.stopWaiting())

interface BothOutcomes {
  readonly plain: CompileOutcome
  readonly ahead: CompileOutcome
  /** Passes whose engine had read the preamble while the pass before ran. */
  readonly begunCount: number
}

/** Compiles a document with a plain start of every pass, and with passes that begin ahead. */
async function compileBoth(document: DocumentJob): Promise<BothOutcomes> {
  const job = { timeoutMs: 120_000, sourceDateEpoch: EPOCH, ...document }
  let begunCount = 0
  const readAhead: Sandbox['readAhead'] = async (command, order) => {
    const reader = await sandboxes.waiting.readAhead(command, order)
    if (reader === null) return null
    const take: typeof reader.take = async (...given) => {
      const isTaken = await reader.take(...given)
      if (isTaken) begunCount += 1
      return isTaken
    }
    return { ...reader, take }
  }
  const ahead = await runPipeline({ ...job, sandbox: { ...sandboxes.waiting, readAhead } })
  return { plain: await runPipeline({ ...job, sandbox: sandboxes.plain }), ahead, begunCount }
}

/** Compiles until that many passes begin ahead: on a busy machine an engine may not have read the preamble in time. */
async function compileUntilBegun(document: DocumentJob, wantedCount = 1): Promise<BothOutcomes> {
  let outcomes = await compileBoth(document)
  for (let attempt = 1; attempt < 5 && outcomes.begunCount < wantedCount; attempt += 1)
    outcomes = await compileBoth(document)
  return outcomes
}

function documentOf(preamble: string, body: string, more: Partial<DocumentJob> = {}): DocumentJob {
  const text = `\\documentclass{article}\n${preamble}\n\\begin{document}\n${body}\n\\end{document}\n`
  return { rootFile: 'main.tex', files: new Map([['main.tex', Buffer.from(text)]]), engine: 'pdflatex', ...more }
}

const CONTENTS = String.raw`\tableofcontents\section{Tides}\label{tides}
\today, page \pageref{tides}, \ref{ebb}, \ref{missing} \wrong
\newpage\section{Ebb}\label{ebb}\hbox to 2cm{too wide for its box of two centimetres}`

for (const engine of ['pdflatex', 'xelatex', 'lualatex'] as const) {
  test(`passes of ${engine} that begin ahead make the PDF and the messages of plain starts`, async () => {
    const { plain, ahead, begunCount } = await compileUntilBegun(documentOf('', CONTENTS, { engine, synctex: true }))
    assert.equal(begunCount > 0, true)
    assert.deepEqual(comparable(ahead), comparable(plain))
    assert.deepEqual(withoutStatistics(ahead), withoutStatistics(plain))
  })
}

test('a pass begins ahead while a bibliography is made', async () => {
  const bib = '@book{ebb, author = {Alice Moor}, title = {Ebb}, publisher = {Shore}, year = {2020}}'
  const document = documentOf('', String.raw`\cite{ebb}\bibliographystyle{plain}\bibliography{refs}`)
  const files = new Map([...document.files, ['refs.bib', Buffer.from(bib)]])
  const { plain, ahead, begunCount } = await compileUntilBegun({ ...document, files }, 2)
  assert.equal(begunCount, 2)
  assert.deepEqual(comparable(ahead), comparable(plain))
})

test('a pass that begins ahead reads the bibliography of BibTeX, not the one of the project', async () => {
  const bib = '@book{ebb, author = {Alice Moor}, title = {Ebb}, publisher = {Shore}, year = {2020}}'
  const old = String.raw`\begin{thebibliography}{1}\bibitem{ebb} Bob. An older book.\end{thebibliography}`
  const document = documentOf('', String.raw`\cite{ebb}\bibliographystyle{plain}\bibliography{refs}`)
  const files = new Map([...document.files, ['refs.bib', Buffer.from(bib)], ['main.bbl', Buffer.from(old)]])
  const { plain, ahead } = await compileBoth({ ...document, files })
  assert.deepEqual(comparable(ahead), comparable(plain))
})

test('a pass begins ahead although the preamble opens an index', async () => {
  const index = String.raw`\usepackage{makeidx}\makeindex`
  const { plain, ahead, begunCount } = await compileUntilBegun(
    documentOf(index, String.raw`${CONTENTS}\index{ebb}\index{flow}\printindex`),
  )
  assert.equal(begunCount > 0, true)
  assert.deepEqual(comparable(ahead), comparable(plain))
})

test('a compile that continues with a pass begun ahead counts as one, so another pass may begin', async (t) => {
  if (availableParallelism() < 2) return t.skip('nothing is read ahead on one processor')
  const { waiting } = sandboxes
  // With the compile, one less than there are processors.
  const others = await Promise.all(Array.from({ length: availableParallelism() - 2 }, () => waiting.createWorkspace()))
  const mayReadOn: boolean[] = []
  const readAhead: Sandbox['readAhead'] = async (command, order) => {
    const reader = await waiting.readAhead(command, order)
    if (reader === null) return null
    const take: typeof reader.take = async (...given) => {
      const isTaken = await reader.take(...given)
      mayReadOn.push(waiting.canReadAhead())
      return isTaken
    }
    return { ...reader, take }
  }
  const job = { ...documentOf('', CONTENTS), passes: 2 as const, timeoutMs: 120_000 }
  for (let attempt = 0; attempt < 5 && mayReadOn.length === 0; attempt += 1)
    await runPipeline({ ...job, sandbox: { ...waiting, readAhead } })
  await Promise.all(others.map((dir) => waiting.removeWorkspace(dir)))
  assert.deepEqual(mayReadOn, [true])
})

test('a pass begins ahead in the folder of the document, with an included chapter', async () => {
  const [text = Buffer.of()] = documentOf('', String.raw`\tableofcontents\include{parts/one}`).files.values()
  const files = new Map([
    ['papers/tides.tex', text],
    ['papers/parts/one.tex', Buffer.from(String.raw`\section{One}\label{one}\ref{one}`)],
  ])
  const { plain, ahead, begunCount } = await compileUntilBegun({
    rootFile: 'papers/tides.tex',
    files,
    engine: 'pdflatex',
  })
  assert.equal(begunCount > 0, true)
  assert.deepEqual(comparable(ahead), comparable(plain))
})

const dependent = [
  ['reads the table of contents', String.raw`\IfFileExists{\jobname.toc}{\def\x{old}}{\def\x{new}}`, ''],
  [
    'reads a file of an unusual name that the pass before wrote',
    String.raw`\newwrite\notes\IfFileExists{notes.txt}{\def\x{old}}{\def\x{new}}`,
    String.raw`\immediate\openout\notes=notes.txt \immediate\write\notes{Ebb.}\immediate\closeout\notes`,
  ],
  [
    'writes a file',
    String.raw`\begin{filecontents*}{notes.txt}Ebb.\end{filecontents*}\def\x{Tides}`.replaceAll(
      /(?<=txt\}|Ebb\.)/g,
      '\n',
    ),
    '',
  ],
] as const
for (const [what, preamble, body] of dependent) {
  test(`a document whose preamble ${what} is compiled as with plain starts`, async () => {
    const { plain, ahead } = await compileBoth(documentOf(preamble, `\\x ${body} ${CONTENTS}`))
    assert.deepEqual(comparable(ahead), comparable(plain))
  })
}

test('a document that prints the digest of its root file is compiled as with plain starts', async () => {
  const digest = String.raw`\ExplSyntaxOn \file_get_mdfive_hash:nN { \c_sys_jobname_str } \l_tmpa_tl
\tl_set_eq:NN \x \l_tmpa_tl \ExplSyntaxOff`
  const { plain, ahead } = await compileBoth(documentOf(digest, `\\x ${CONTENTS}`))
  assert.deepEqual(comparable(ahead), comparable(plain))
})

test('a deadline in a pass that began ahead ends the compile', async () => {
  const body = String.raw`${CONTENTS}\makeatletter\@ifundefined{r@tides}{}{\loop\iftrue\repeat}`
  const { ahead, begunCount } = await compileUntilBegun(documentOf('', body, { timeoutMs: 4_000 }))
  assert.equal(begunCount, 1)
  assert.match(ahead.result.errors[0]?.message ?? '', /timed out after 4000 ms/)
})

test('a compile that fails when a pass begun ahead should continue leaves no workspace', async () => {
  const { waiting } = sandboxes
  const left = new Set<string>()
  const failure = new Error('the workspace is gone')
  const sandbox: Sandbox = {
    ...waiting,
    createWorkspace: async (...given) => {
      const dir = await waiting.createWorkspace(...given)
      left.add(dir)
      return dir
    },
    removeWorkspace: async (dir) => {
      left.delete(dir)
      await waiting.removeWorkspace(dir)
    },
    readAhead: async (command, order) => {
      const reader = await waiting.readAhead(command, order)
      return reader === null ? null : { ...reader, take: () => Promise.reject(failure) }
    },
  }
  const job = { ...documentOf('', CONTENTS), timeoutMs: 120_000, sandbox }
  const compiles: PromiseSettledResult<unknown>[] = []
  // On a busy machine an engine may not have read the preamble in time.
  while (compiles.length < 5 && compiles.at(-1)?.status !== 'rejected')
    compiles.push(...(await Promise.allSettled([runPipeline(job)])))
  assert.deepEqual(compiles.at(-1), { status: 'rejected', reason: failure })
  assert.deepEqual([...left], [])
})

/** The log of the last pass without what depends on memory. */
function withoutStatistics({ result }: CompileOutcome): readonly string[] {
  const lines = (result.logs.at(-1)?.log ?? '').split('\n')
  return lines.filter((line) => !/^ *\d+|^\]|bytes|memory/.test(line))
}
