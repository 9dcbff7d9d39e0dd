import assert from 'node:assert/strict'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { inspect, type InspectOptions } from './inspect.ts'
import type { WorkspacePlace } from './workspace-view.ts'
import { NO_SEARCH_PATHS } from './latexmkrc/search-paths-of.ts'
import { NO_TOOL_COMMANDS } from './latexmkrc/parse-tool-commands.ts'

const options: InspectOptions = { requester: 'alice', timeLimitMs: 30_000, signal: undefined }
let place: WorkspacePlace

before(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'platex-inspect-'))
  place = {
    dir,
    rootFile: 'main.tex',
    givenFiles: new Set(['main.tex']),
    tools: new Set(),
    searchPaths: NO_SEARCH_PATHS,
    toolCommands: NO_TOOL_COMMANDS,
  }
})

after(() => rm(place.dir, { recursive: true }))

test('inspect runs a task on a thread', async () => {
  await writeFile(join(place.dir, 'main.blg'), 'WARN - no such entry')
  const inspected = await inspect('inspectTool', { place, outputs: [], transcript: 'main.blg' }, options)
  assert.equal(inspected.kind === 'done' && inspected.value.hasComplaints, true)
})

test('inspect returns a fault if content cannot be parsed in time', async () => {
  await writeFile(join(place.dir, 'main.toc'), '')
  await truncate(join(place.dir, 'main.toc'), 60 * 1024 * 1024)
  const inspected = await inspect('digestOutputs', { place, outputs: ['main.toc'] }, { ...options, timeLimitMs: 1 })
  assert.deepEqual(inspected, {
    kind: 'fault',
    message:
      'The log and auxiliary files of this document could not be analyzed in time, so errors and warnings may be missing. Compile again; if this happens again, the log is too large.',
  })
})

test('inspect rejects with the reason of an abort', async () => {
  const signal = AbortSignal.abort(new Error('cancelled by alice'))
  await assert.rejects(inspect('digestOutputs', { place, outputs: [] }, { ...options, signal }), /cancelled by alice/)
})
