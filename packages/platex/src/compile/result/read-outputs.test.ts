import assert from 'node:assert/strict'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { readOutputs } from './read-outputs.ts'
import { viewWorkspace, type WorkspaceView } from '../workspace-view.ts'
import { NO_SEARCH_PATHS } from '../latexmkrc/search-paths-of.ts'
import { NO_TOOL_COMMANDS } from '../latexmkrc/parse-tool-commands.ts'

let dir: string
let workspace: WorkspaceView

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'read-outputs-'))
  workspace = viewWorkspace({
    dir,
    rootFile: 'main.tex',
    givenFiles: new Set(),
    tools: new Set(),
    searchPaths: NO_SEARCH_PATHS,
    toolCommands: NO_TOOL_COMMANDS,
  })
  await writeFile(join(dir, 'main.bbl'), 'bbl')
  await writeFile(join(dir, 'main.aux'), '')
  await truncate(join(dir, 'main.aux'), 16 * 1024 * 1024 + 1)
})

after(() => rm(dir, { recursive: true }))

test('readOutputs omits a file over the limit, with a warning, and returns the others', async () => {
  const message = 'main.aux (16777217 bytes) was omitted: the outputs together may have at most 16777216 bytes'
  assert.deepEqual(await readOutputs(['aux', 'bbl', 'toc'], { workspace, synctex: null, obsolete: new Set() }), {
    outputs: { aux: null, bbl: new TextEncoder().encode('bbl'), toc: null },
    warnings: [{ type: 'warning', code: 'other', file: null, line: null, message }],
  })
})
