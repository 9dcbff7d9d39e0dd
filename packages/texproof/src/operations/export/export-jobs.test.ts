import assert from 'node:assert/strict'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { isDeepStrictEqual } from 'node:util'

import { pino } from 'pino'

import { eventually } from '../../../../platex/test/support/eventually.ts'
import { initialCommit } from '../../../test/support/git/git-repository.ts'
import { makeFolder } from '../../../test/support/make-folder.ts'
import { testConfig } from '../../../test/support/hosts/test-config.ts'
import { openParsers } from '../../base/open-parsers.ts'
import { exampleBuild } from '../../../test/support/example-build.ts'
import { openGitStore } from '../../git/open-git-store.ts'
import type { GitStore } from '../../git/types.ts'
import { openExportJobs, type ExportJobs, type ExportStores } from './export-jobs.ts'

/** Number of jobs that run at a time. */
const MAX_JOBS = 40

// No such commit: the export ends without a package.
const build = exampleBuild()

const unused = (): Promise<never> => Promise.reject(new Error('nothing to compile'))

async function openJobs(
  t: TestContext,
  {
    dataDir = makeFolder(t),
    compile = unused,
  }: { readonly dataDir?: string; readonly compile?: ExportStores['papers']['spareCompiler']['compile'] } = {},
): Promise<{ readonly jobs: ExportJobs; readonly git: GitStore }> {
  const git = await openGitStore({ root: join(dataDir, 'repositories') })
  const parsers = openParsers()
  t.after(() => Promise.all([git.close(), parsers.close()]))
  const spareCompiler = { compile, describePdf: unused, findConvertedPicture: unused, renderPage: unused }
  const config = { ...testConfig, dataDir }
  const log = pino({ level: 'silent' })
  return { jobs: openExportJobs({ config, log, git, parsers, papers: { spareCompiler } }), git }
}

function start(jobs: ExportJobs, userId: string, commitId = build.commitId): string | null {
  const options = { isFlat: false, withoutComments: false, withoutNotes: false, isAnonymous: false }
  return jobs.start({
    userId,
    ownerId: '1',
    build: { ...build, commitId },
    target: 'arxiv',
    options,
    name: 'tides-main',
  })
}

/** Four exports of each of ten users; the id of each, in the order of their start. */
function startAll(jobs: ExportJobs): readonly { readonly userId: string; readonly id: string | null }[] {
  return Array.from({ length: MAX_JOBS }, (_, at) => {
    const userId = `user-${Math.floor(at / 4)}`
    return { userId, id: start(jobs, userId) }
  })
}

test('the exports of other servers that share the data directory are kept', async (t) => {
  const dataDir = makeFolder(t)
  const folder = join(dataDir, 'tmp', 'exports')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package'), 'zip')
  const { jobs } = await openJobs(t, { dataDir })
  const id = start(jobs, 'alice')
  await eventually(() => jobs.find('alice', id ?? '')?.state.kind, { until: (kind) => kind === 'refused' })
  assert.deepEqual(await readdir(folder), ['package'])
})

test('an export is refused while as many as allowed are running', async (t) => {
  const { jobs } = await openJobs(t)
  startAll(jobs)
  assert.equal(start(jobs, 'alice'), null)
})

test('finished exports refuse no other: the oldest one is deleted', async (t) => {
  const { jobs } = await openJobs(t)
  const started = startAll(jobs)
  const find = (): readonly unknown[] => started.map(({ userId, id }) => jobs.find(userId, id ?? '')?.state.kind)
  await eventually(find, { until: (kinds) => kinds.every((kind) => kind === 'refused') })
  const id = start(jobs, 'alice')
  assert.deepEqual(
    [typeof id, find()],
    ['string', [undefined, ...Array.from({ length: MAX_JOBS - 1 }, () => 'refused')]],
  )
})

test('two exports have the files of their commits in memory, and the others wait', async (t) => {
  const isOver = Promise.withResolvers<never>()
  isOver.promise.catch(() => null)
  let compileCount = 0
  const compile = (): Promise<never> => {
    compileCount += 1
    return isOver.promise
  }
  const { jobs, git } = await openJobs(t, { compile })
  const files = { 'main.tex': '\\documentclass{article}\\begin{document}Tides\\end{document}\n' }
  await git.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit(files) })
  const [main] = await git.listBranches(1)
  const users = ['alice', 'alice', 'alice', 'bob', 'bob', 'bob']
  const ids = users.map((userId) => start(jobs, userId, main?.commitId))
  const states = (): readonly unknown[] => ids.map((id, at) => jobs.find(users[at] ?? '', id ?? '')?.state)
  await eventually(() => compileCount, { until: (count) => count === 2 })
  const waiting = states().filter((state) => isDeepStrictEqual(state, { kind: 'running', step: 'waiting' }))
  isOver.reject(new Error('the compiler has stopped'))
  await eventually(states, { until: (all) => all.every((state) => Object(state).kind === 'refused') })
  assert.equal(waiting.length, 4)
})
