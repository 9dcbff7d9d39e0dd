import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openSandbox } from '../sandbox/open-sandbox.ts'
import type { CompileJob } from './job.ts'
import { fillWorkspace, openWorkspace } from './workspace.ts'

async function fill(
  t: TestContext,
  sources: Readonly<Record<string, string>>,
): Promise<{ dir: string; job: CompileJob }> {
  const dir = await mkdtemp(join(tmpdir(), 'platex-workspace-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const files = new Map(Object.entries(sources).map(([path, text]) => [path, Buffer.from(text)]))
  const job: CompileJob = {
    rootFile: 'main.tex',
    files,
    engine: 'pdflatex',
    timeoutMs: 60_000,
    sandbox: await openSandbox('auto'),
  }
  await fillWorkspace(dir, { job, written: files })
  return { dir, job }
}

test('included files get their folders, unless a file is in the way or a name is too long', async (t) => {
  const long = 'a'.repeat(300)
  const main = `\\include{parts/one}% \\include{main.tex/x} \\include{${long}/x} \\include{other.tex/y/z}`
  const { dir } = await fill(t, { 'main.tex': main, 'other.tex': '' })
  assert.deepEqual((await readdir(dir)).toSorted(), ['main.tex', 'other.tex', 'parts'])
})

test('a root file that an engine reads ahead gets no folder of its name', async (t) => {
  const { dir, job } = await fill(t, { 'main.tex': '\\include{main.tex/x} \\include{main.tex/y/z}' })
  await rm(join(dir, 'main.tex'))
  await fillWorkspace(dir, { job, written: new Map() })
  assert.deepEqual(await readdir(dir), [])
})

test('a folder below a file is not created, and a file there is not written', async (t) => {
  const { dir, job } = await fill(t, { 'main.tex': 'Tides' })
  const workspace = openWorkspace(dir, { job, reader: null })
  const made = [await workspace.makeFolder('main.tex'), await workspace.makeFolder('main.tex/x')]
  await workspace.replace('main.tex/x.pdf', Buffer.from('%PDF-'))
  await workspace.remove('main.tex/x.pdf')
  assert.deepEqual([made, await readFile(join(dir, 'main.tex'), 'utf8')], [[false, false], 'Tides'])
})
