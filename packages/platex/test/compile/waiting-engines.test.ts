import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fontMapOf } from '../../src/compile/readers/font-map.ts'
import { runPipeline } from '../../src/compile/run-pipeline.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { comparable, compileBoth, keepReady, openBoth, type DocumentJob } from '../support/compare-starts.ts'

const sandboxes = await openBoth()
after(() => sandboxes.waiting.stopWaiting())

/** Everything that prints the time: dates, primitives of the engine, constants of expl3. */
const CLOCK = String.raw`\number\year-\number\month-\number\day-\number\time
\ExplSyntaxOn\int_use:N\c_sys_year_int-\int_use:N\c_sys_day_int-\int_use:N\c_sys_minute_int\ExplSyntaxOff`

const RC = "ensure_path('TEXINPUTS', './tex//');"

function documentOf(body: string, more: Partial<DocumentJob> = {}): DocumentJob {
  const text = String.raw`\documentclass{article}\begin{document}${body}\end{document}`
  return { rootFile: 'main.tex', files: new Map([['main.tex', Buffer.from(text)]]), engine: 'pdflatex', ...more }
}

const creationDates = {
  pdflatex: String.raw`\pdfcreationdate`,
  xelatex: String.raw`\creationdate`,
  lualatex: String.raw`\pdffeedback creationdate`,
} as const

for (const [engine, creationDate] of Object.entries(creationDates) as [keyof typeof creationDates, string][]) {
  test(`a waiting ${engine} makes the PDF and messages of a plain start, with the time of the document`, async () => {
    const body = String.raw`\tableofcontents\section{One}\label{one}\today, \ref{one}, \ref{two}. ${CLOCK} ${creationDate} \wrong`
    const { plain, waited, hasWaited } = await compileBoth(documentOf(body, { engine, synctex: true }), sandboxes)
    assert.equal(hasWaited, true)
    assert.deepEqual(comparable(waited), comparable(plain))
  })
}

for (const engine of ['pdflatex', 'lualatex'] as const) {
  test(`a waiting ${engine} writes dates and identifier for the time of the document`, async () => {
    const { plain, waited } = await compileBoth(documentOf('Hello.', { engine }), sandboxes)
    assert.deepEqual(Buffer.from(waited.result.pdf ?? []), Buffer.from(plain.result.pdf ?? []))
  })
}

test('a waiting engine writes the log of a plain start, except for statistics and the font map', async () => {
  const { plain, waited } = await compileBoth(documentOf('Hello. \\wrong'), sandboxes)
  const lines = ({ result }: typeof plain) =>
    (result.logs[0]?.log ?? '').split('\n').filter((line) => !/^ *\d+|pdftex\.map|^\]/.test(line))
  assert.deepEqual(lines(waited), lines(plain))
})

test('the engine of the next pass leaves the list of files alone that the current one writes', async () => {
  // Of a host that keeps no engines waiting.
  const sandbox = (await openSandbox('required', { maxWaiting: 0 })).latest()
  // With Lua code, nothing is read ahead: the engine waits in the workspace of the document.
  const job = documentOf(String.raw`\tableofcontents\directlua{tex.sprint(6*7)}\section{One}`, { engine: 'lualatex' })
  const inputs: (readonly string[])[] = []
  for (let round = 0; round < 5; round += 1) {
    const outcome = await runPipeline({ ...job, sandbox, timeoutMs: 120_000 })
    inputs.push(outcome.inputs)
  }
  assert.deepEqual(
    inputs,
    inputs.map(() => ['main.tex']),
  )
})

test('a document without its end has the same error with a waiting engine', async () => {
  const job = documentOf('', { files: new Map([['main.tex', Buffer.from('\\documentclass{article}')]]) })
  const { plain, waited } = await compileBoth(job, sandboxes)
  assert.deepEqual(waited.result.errors, plain.result.errors)
})

test('an engine that waits in a folder compiles the document in that folder', async () => {
  const text = Buffer.from(String.raw`\documentclass{article}\begin{document}\input{../part}\end{document}`)
  const files = new Map([
    ['papers/tides.tex', text],
    ['part.tex', Buffer.from('Tides.')],
  ])
  const { plain, waited, hasWaited } = await compileBoth(
    { rootFile: 'papers/tides.tex', files, engine: 'pdflatex' },
    sandboxes,
  )
  assert.equal(hasWaited, true)
  assert.deepEqual(comparable(waited), comparable(plain))
})

const outsideShortMap = {
  'a package': String.raw`\usepackage[sfdefault]{roboto}`,
  'a command that hides a package': String.raw`\let\load\usepackage\load[sfdefault]{roboto}`,
}

for (const [name, preamble] of Object.entries(outsideShortMap)) {
  for (const [passes, start] of [
    ['one pass', ''],
    ['a draft first', String.raw`\tableofcontents\section{Tides}`],
  ] as const) {
    test(`a font that the short font map omits, from ${name}, is in the PDF of ${passes}`, async () => {
      const text = String.raw`\documentclass{article}${preamble}\begin{document}${start}Tides.\end{document}`
      const job = documentOf('', { files: new Map([['main.tex', Buffer.from(text)]]) })
      const { plain, waited } = await compileBoth(job, sandboxes)
      assert.equal(waited.result.logs.at(-1)?.log.includes('Roboto-Regular.pfb'), true)
      assert.deepEqual(comparable(waited), comparable(plain))
    })
  }
}

test('a picture of the installation with fonts of the short font map needs no other map', async () => {
  const picture = String.raw`\documentclass{article}\usepackage{graphicx}\begin{document}\includegraphics{example-image-a}\end{document}`
  const job = documentOf('', { files: new Map([['main.tex', Buffer.from(picture)]]) })
  const { plain, waited } = await compileBoth(job, sandboxes)
  assert.deepEqual(comparable(waited), comparable(plain))
  const again = { ...job, sandbox: sandboxes.waiting }
  const { aux } = await runPipeline({ ...again, timeoutMs: 60_000 })
  assert.equal(fontMapOf({ ...again, files: new Map(job.files), warmStartFiles: aux }), 'short')
})

test('warm-start files say that a document needs the whole font map', async () => {
  const hidden = outsideShortMap['a command that hides a package']
  const text = String.raw`\documentclass{article}${hidden}\begin{document}\label{tides}Tides.\end{document}`
  const job = { ...documentOf(''), files: new Map([['main.tex', Buffer.from(text)]]), sandbox: sandboxes.waiting }
  const { aux } = await runPipeline({ ...job, timeoutMs: 120_000 })
  const next = { ...job, files: new Map(job.files) }
  assert.equal(fontMapOf(next), 'short')
  assert.equal(fontMapOf({ ...next, files: new Map(job.files), warmStartFiles: aux }), 'whole')
})

const refused: readonly [string, DocumentJob][] = [
  ['chooses another font map', documentOf(String.raw`\pdfmapfile{}Hello.`)],
  [
    'has a font map of its own',
    { ...documentOf('Hello.'), files: new Map([...documentOf('Hello.').files, ['pdftex.map', Buffer.from('')]]) },
  ],
  [
    'has a name with a blank',
    {
      ...documentOf('Hello.'),
      rootFile: 'my paper.tex',
      files: new Map([['my paper.tex', Buffer.from(documentOf('Hello.').files.get('main.tex') ?? '')]]),
    },
  ],
]
for (const [what, job] of refused) {
  test(`a document that ${what} gets a plain start`, async () => {
    const { plain, waited, hasWaited } = await compileBoth(job, sandboxes)
    assert.equal(hasWaited, false)
    assert.deepEqual(comparable(waited), comparable(plain))
  })
}

test('a document whose latexmkrc sets search paths does not get the engine of another one', async () => {
  const text = String.raw`\documentclass{article}\usepackage{pier}\begin{document}\pier\end{document}`
  const files = { 'main.tex': text, 'tex/pier.sty': String.raw`\newcommand\pier{Pier.}`, latexmkrc: RC }
  const job = documentOf('', { files: new Map(Object.entries(files).map(([path, file]) => [path, Buffer.from(file)])) })
  await keepReady(documentOf('Hello.'), sandboxes.waiting)
  const { plain, waited } = await compileBoth(job, sandboxes)
  assert.deepEqual(comparable(waited), comparable(plain))
})

test('an endless document in a waiting engine is stopped at its deadline', async () => {
  const job = documentOf(String.raw`\def\x{\x}\x`, { timeoutMs: 2_000 })
  await keepReady(job, sandboxes.waiting)
  const { result } = await runPipeline({ timeoutMs: 2_000, ...job, sandbox: sandboxes.waiting })
  assert.match(result.errors[0]?.message ?? '', /timed out after 2000 ms/)
})

test('a waiting engine passes nothing from one document to the next', async () => {
  const secret = documentOf(
    String.raw`\newwrite\out\immediate\openout\out=secret.txt \immediate\write\out{secret}Hello.`,
  )
  const curious = documentOf(String.raw`\IfFileExists{secret.txt}{\wrong}{}Hello.`)
  await compileBoth(secret, sandboxes)
  const { waited, hasWaited } = await compileBoth(curious, sandboxes)
  assert.equal(hasWaited, true)
  assert.deepEqual(waited.result.errors, [])
})
