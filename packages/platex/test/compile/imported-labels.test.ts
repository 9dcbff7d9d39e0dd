/** Documents that refer to the labels of other documents of their project, such as a supplement. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, test } from 'node:test'
import type { ProjectEngine } from '../../src/base/types.ts'
import type { LocalOutcome } from '../../src/compile/job.ts'
import { runPipeline } from '../../src/compile/run-pipeline.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { corpusJob, withoutMarks } from '../support/compile-document.ts'

const sandbox = await openSandbox('auto')

interface Compile {
  readonly engine?: ProjectEngine
  readonly rootFile?: string
  readonly timeoutMs?: number
  readonly warmStartFiles?: ReadonlyMap<string, Uint8Array>
}

function compile(sources: Readonly<Record<string, string>>, options: Compile = {}): Promise<LocalOutcome> {
  const { engine = 'pdflatex', ...more } = options
  const files = new Map(Object.entries(sources).map(([path, text]) => [path, new TextEncoder().encode(text)]))
  return runPipeline({ ...corpusJob({ files, engine }, sandbox), ...more })
}

function article(preamble: string, body: string): string {
  return `\\documentclass{article}\\pagestyle{empty}${preamble}\n\\begin{document}\n${body}\n\\end{document}\n`
}

/** The text of the PDF in one line, and the messages. */
function read({ result: { pdf, errors, warnings } }: LocalOutcome): readonly [string, ...string[]] {
  const text = execFileSync('pdftotext', ['-', '-'], { input: pdf ?? undefined }).toString()
  return [text.replaceAll(/\s+/g, ' ').trim(), ...[...errors, ...warnings].map(({ message }) => message)]
}

const SUPPLEMENT = article('', '\\section{One}\\section{Two}\\label{two}\\newpage\\section{Three}\\label{three}')
const REFERENCES = 'See \\ref{two} and page \\pageref{three}.'

describe('references to another document of the project', { concurrency: 2 }, () => {
  for (const engine of ['pdflatex', 'xelatex', 'lualatex', 'latex'] as const)
    test(`have its numbers with ${engine}`, async () => {
      const main = article('\\usepackage{xr}\\externaldocument{supplement}', REFERENCES)
      const outcome = await compile({ 'main.tex': main, 'supplement.tex': SUPPLEMENT }, { engine })
      assert.deepEqual(read(outcome), ['See 2 and page 2.'])
      assert.deepEqual(outcome.inputs, ['main.tex', 'supplement.tex'])
    })

  test('have its numbers with xr-hyper and with zref-xr', async () => {
    const hyper = '\\usepackage{xr-hyper}\\usepackage{hyperref}\\externaldocument[S-]{supplement}'
    const zref = '\\usepackage{zref-user,zref-xr}\\zexternaldocument{supplement}'
    const outcomes = [
      await compile({
        'main.tex': article(hyper, 'See \\ref{S-two}.'),
        'supplement.tex': SUPPLEMENT.replace('\\pagestyle', '\\usepackage{hyperref}\\pagestyle'),
      }),
      await compile({
        'main.tex': article(zref, 'See \\zref{two}.'),
        'supplement.tex': article('\\usepackage{zref-user}', '\\section{One}\\section{Two}\\zlabel{two}'),
      }),
    ]
    assert.deepEqual(outcomes.map(read), [['See 2.'], ['See 2.']])
  })

  test('have its numbers if each of the documents has a folder', async () => {
    const files = {
      'paper/main.tex': article('\\usepackage{xr}\\externaldocument{../si/supplement}', REFERENCES),
      'si/supplement.tex': article('', '\\input{parts/one}'),
      'si/parts/one.tex': '\\section{One}\\section{Two}\\label{two}\\newpage Three.\\label{three}',
    }
    const outcome = await compile(files, { rootFile: 'paper/main.tex' })
    assert.deepEqual(read(outcome), ['See 2 and page 2.'])
    assert.deepEqual(outcome.inputs, ['paper/main.tex', 'si/parts/one.tex', 'si/supplement.tex'])
  })

  test('have its numbers if both documents refer to each other', async () => {
    const files = {
      'main.tex': article(
        '\\usepackage{xr}\\externaldocument{supplement}',
        `\\section{Main}\\label{main}${REFERENCES}`,
      ),
      'supplement.tex': article(
        '\\usepackage{xr}\\externaldocument{main}',
        'See \\ref{main}.\\section{One}\\section{Two}\\label{two}\\newpage Three.\\label{three}',
      ),
    }
    assert.deepEqual(read(await compile(files)), ['1 Main See 2 and page 2.'])
    assert.match(read(await compile(files, { rootFile: 'supplement.tex' }))[0], /^See 1\. 1 One 2 Two/)
  })

  test('stay undefined if it cannot be compiled', async () => {
    const files = {
      'main.tex': article('\\usepackage{xr}\\externaldocument{supplement}', 'Words.'),
      'supplement.tex': '\\documentclass{nosuch}\n\\begin{document}\n\\end{document}\n',
    }
    const { result } = await compile(files)
    assert.deepEqual(
      [...result.errors, ...result.warnings].map(({ file, line, message }) => [file, line, message]),
      [['main.tex', 1, 'Package xr Warning: No file supplement.aux LABELS NOT IMPORTED. on input line 1.']],
    )
  })

  test('stay undefined if it never ends, which leaves time for the document', async () => {
    const files = {
      'main.tex': article('\\usepackage{xr}\\externaldocument{supplement}', 'Words.'),
      'supplement.tex': article('', '\\section{One}\\label{one}\\loop\\iftrue\\repeat'),
    }
    const outcome = await compile(files, { timeoutMs: 8_000 })
    assert.deepEqual(read(outcome), [
      'Words.',
      'Package xr Warning: No file supplement.aux LABELS NOT IMPORTED. on input line 1.',
    ])
  })

  test('follow its changes, and are kept otherwise', async () => {
    const main = (text: string): string =>
      article('\\usepackage{xr}\\externaldocument{supplement}', `${text} ${REFERENCES}`)
    const first = await compile({ 'main.tex': main('Ebb.'), 'supplement.tex': SUPPLEMENT })
    const edited = { 'main.tex': main('Flow.'), 'supplement.tex': SUPPLEMENT }
    const [warm, cold] = [await compile(edited, { warmStartFiles: first.aux }), await compile(edited)]
    assert.deepEqual([withoutMarks(warm.result.pdf), warm.inputs], [withoutMarks(cold.result.pdf), cold.inputs])
    assert.deepEqual([warm.result.stats?.passes, [...warm.aux.keys()]], [1, [...first.aux.keys()]])
    const changed = { ...edited, 'supplement.tex': SUPPLEMENT.replace('\\section{Two}', '\\section{1b}\\section{Two}') }
    assert.deepEqual(read(await compile(changed, { warmStartFiles: warm.aux })), ['Flow. See 3 and page 2.'])
    const without = { 'main.tex': edited['main.tex'] }
    const [left, never] = [await compile(without, { warmStartFiles: warm.aux }), await compile(without)]
    assert.deepEqual([read(left), [...left.aux.keys()]], [read(never), [...never.aux.keys()]])
  })
})
