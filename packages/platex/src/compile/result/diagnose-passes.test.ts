import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { ProjectEngine } from '../../base/types.ts'
import { NO_RECORDER } from '../read-recorder.ts'
import { NO_SEARCH_PATHS } from '../search-paths/search-paths-of.ts'
import { diagnosePasses } from './diagnose-passes.ts'

const LINES = {
  pdflatex: String.raw`pdfTeX warning: \pdfdraftmode enabled, not changing output pdf`,
  lualatex: 'warning  (pdf backend): draftmode enabled, not changing output pdf',
} as const

describe('diagnosePasses', () => {
  let dir: string

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'diagnose-passes-'))
  })

  after(() => rm(dir, { recursive: true }))

  async function warningsOf(engine: ProjectEngine, line: string, isDraft: boolean): Promise<readonly string[]> {
    await writeFile(join(dir, 'main.log'), `(./main.tex [1] (./main.aux) )\n${line}\n`)
    const { warnings } = await diagnosePasses({
      place: { dir, rootFile: 'main.tex', givenFiles: new Set(), tools: new Set(), searchPaths: NO_SEARCH_PATHS },
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
      end: { kind: 'stopped' },
      passCount: 1,
      unmet: [],
    })
    return warnings.map(({ message }) => message)
  }

  for (const engine of ['pdflatex', 'lualatex'] as const) {
    it(`does not warn that a draft pass of ${engine} writes no PDF`, async () => {
      assert.deepEqual(await warningsOf(engine, LINES[engine], true), [])
    })

    it(`warns of the draft mode that a document of ${engine} turns on`, async () => {
      assert.deepEqual(await warningsOf(engine, LINES[engine], false), [LINES[engine]])
    })
  }
})
