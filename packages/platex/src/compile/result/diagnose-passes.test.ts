import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { NO_RECORDER } from '../read-recorder.ts'
import { NO_SEARCH_PATHS } from '../latexmkrc/search-paths-of.ts'
import { NO_TOOL_COMMANDS } from '../latexmkrc/parse-tool-commands.ts'
import { diagnosePasses, type PassesToDiagnose } from './diagnose-passes.ts'

const DRAFT_MODE = {
  pdflatex: String.raw`pdfTeX warning: \pdfdraftmode enabled, not changing output pdf`,
  lualatex: 'warning  (pdf backend): draftmode enabled, not changing output pdf',
} as const

const REFERENCES = [
  "LaTeX Warning: Reference `tides' on page 1 undefined on input line 4.",
  "LaTeX Warning: Citation `darwin' on page 1 undefined on input line 4.",
]

const EMPTY_BIBLIOGRAPHY = 'LaTeX Warning: Empty bibliography on input line 9.'

const REPETITIONS = {
  biber: [
    'Package biblatex Warning: Please (re)run Biber on the file:',
    '(biblatex)                main',
    '(biblatex)                and rerun LaTeX afterwards.',
  ],
  'LaTeX for a file that it reads in part': [
    "Package rerunfilecheck Warning: File `main.out' has changed.",
    '(rerunfilecheck)                Rerun to get outlines right',
    "(rerunfilecheck)                or use package `bookmark'.",
  ],
}

describe('diagnosePasses', () => {
  let dir: string

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'diagnose-passes-'))
  })

  after(() => rm(dir, { recursive: true }))

  async function warningsOf(
    text: string,
    {
      engine = 'pdflatex',
      isDraft = false,
      end = { kind: 'stopped' },
      passCount = 1,
      unmet = [],
    }: Partial<PassesToDiagnose>,
    textEnd = '\n\n',
  ): Promise<readonly string[]> {
    await writeFile(join(dir, 'main.log'), `(./main.tex [1] (./main.aux) )\n${text}${textEnd}`)
    const { warnings } = await diagnosePasses({
      place: {
        dir,
        rootFile: 'main.tex',
        givenFiles: new Set(),
        tools: new Set(),
        searchPaths: NO_SEARCH_PATHS,
        toolCommands: NO_TOOL_COMMANDS,
      },
      textFiles: [],
      engine,
      isDraft,
      recorder: NO_RECORDER,
      trace: null,
      stdout: new Uint8Array(),
      stderr: new Uint8Array(),
      tools: [],
      timeoutMs: 1_000,
      pictures: new Map(),
      end,
      passCount,
      unmet,
    })
    return warnings.map(({ message }) => message)
  }

  for (const engine of ['pdflatex', 'lualatex'] as const) {
    it(`does not warn that a draft pass of ${engine} writes no PDF`, async () => {
      assert.deepEqual(await warningsOf(DRAFT_MODE[engine], { engine, isDraft: true }), [])
    })

    it(`warns of the draft mode that a document of ${engine} turns on`, async () => {
      assert.deepEqual(await warningsOf(DRAFT_MODE[engine], { engine }), [DRAFT_MODE[engine]])
    })
  }

  it('does not warn of the references and citations of a first pass that stopped', async () => {
    assert.deepEqual(await warningsOf(REFERENCES.join('\n\n'), { end: { kind: 'stopped' } }), [])
  })

  it('warns of the references and citations of a later pass that stopped', async () => {
    assert.deepEqual(await warningsOf(REFERENCES.join('\n\n'), { end: { kind: 'stopped' }, passCount: 2 }), REFERENCES)
  })

  it('warns of the references and citations of the only pass that was requested', async () => {
    assert.deepEqual(await warningsOf(REFERENCES.join('\n\n'), { end: { kind: 'counted' } }), REFERENCES)
  })

  it('does not warn of half a line that an engine had written when it was killed', async () => {
    const text = `${REFERENCES[0]}\n\nLaTeX Warning: Ref`
    assert.deepEqual(await warningsOf(text, { end: { kind: 'stopped' }, passCount: 2 }, ''), [REFERENCES[0]])
  })

  it('does not warn of an empty bibliography after an error of biber', async () => {
    const unmet = [{ severity: 'error', source: 'biber', message: 'biber is not installed' }] as const
    assert.deepEqual(await warningsOf(EMPTY_BIBLIOGRAPHY, { unmet }), [])
  })

  it('warns of an empty bibliography without an error', async () => {
    assert.deepEqual(await warningsOf(EMPTY_BIBLIOGRAPHY, {}), [EMPTY_BIBLIOGRAPHY])
  })

  for (const [title, lines] of Object.entries(REPETITIONS)) {
    it(`does not ask to repeat ${title} if passes and tools have converged`, async () => {
      assert.deepEqual(await warningsOf(lines.join('\n'), { end: { kind: 'converged' } }), [])
    })

    it(`asks to repeat ${title} if the passes are counted`, async () => {
      const message = lines.map((line) => line.replace(/^\(\S+ +/, '')).join(' ')
      assert.deepEqual(await warningsOf(lines.join('\n'), { end: { kind: 'counted' } }), [message])
    })
  }
})
