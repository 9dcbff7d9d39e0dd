/** `texproof repo purge` with a running server, real pushes and real builds. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { git } from '../support/git/git-repository.ts'
import { makeFolder } from '../support/make-folder.ts'
import { runProgram } from '../support/programs/run-program.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'
import { sendRequest } from '../support/send-request.ts'
import { startHost } from '../support/hosts/start-host.ts'
import type { RunningHost } from '../support/hosts/start-host.ts'

let host: RunningHost
let remote: string
let token: string
const folder = makeFolder({ after })
const checkout = makeFolder({ after })

before(async () => {
  host = await startHost({ dataDir: join(folder, 'data'), env: { TEXPROOF_LOG_FORMAT: 'json' } })
  token = await host.makeToken('alice')
  const create = { target: '/api/v3/user/repos', method: 'POST', body: '{"name":"tides"}' }
  await sendRequest(host.url, { ...create, headers: { authorization: `token ${token}` } })
  remote = `http://git:${token}@127.0.0.1:${host.port}/alice/tides.git`
  git(checkout, ['init', '-q', '-b', 'main', '.'])
})
after(() => host.stop('SIGKILL'))

/** Commits a document with these words and force-pushes it; resolves to the commit id after the build. */
async function push(words: string, ...commitOptions: readonly string[]): Promise<string> {
  writeFileSync(join(checkout, 'main.tex'), `\\documentclass{article}\\begin{document}${words}\\end{document}\n`)
  git(checkout, ['add', '--all'])
  git(checkout, ['commit', '-q', '-m', words, ...commitOptions])
  const env = { GIT_CONFIG_GLOBAL: '/dev/null', HOME: checkout, GIT_TERMINAL_PROMPT: '0' }
  const { exitCode, stderr } = await runProgram('git', ['push', '--force', remote, 'main'], { cwd: checkout, env })
  assert.equal(exitCode, 0, stderr)
  assert.match(stderr, /\.pdf|PDF|pdf/)
  return git(checkout, ['rev-parse', 'HEAD'])
}

const statusOf = async (path: string): Promise<number> => (await sendRequest(host.url, { target: path })).status
const listPdfs = (): readonly string[] =>
  readdirSync(join(host.dataDir, 'cache/pdf'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.pdf'),
  )

test('texproof repo purge removes commits replaced by a force push, and nothing else', async () => {
  const secret = await push('secret')
  const kept = await push('kept', '--amend')
  const pages = [`/alice/tides/commit/${secret}`, `/alice/tides/raw/${secret}/main.tex`, `/alice/tides/commit/${kept}`]
  const before = await Promise.all(pages.map(statusOf))
  const pdfsBefore = listPdfs().length

  const plan = await runTexproof(['repo', 'purge', 'alice/tides', '--dry-run', '--data', host.dataDir])
  const stillThere = await statusOf(pages[0] ?? '')
  const outcome = await runTexproof(['repo', 'purge', 'alice/tides', '--json', '--data', host.dataDir])

  const gitDir = join(host.dataDir, 'repositories/01/1.git')
  const found = await runProgram('git', ['-C', gitDir, 'cat-file', '-e', secret])
  const fsck = await runProgram('git', ['-C', gitDir, 'fsck', '--no-dangling'])
  assert.deepEqual(
    {
      before,
      planned: plan.stdout.split('  ').filter((_, index) => index !== 1),
      stillThere,
      outcome: { exitCode: outcome.exitCode, ...(JSON.parse(outcome.stdout) as object), freed_bytes: null },
      after: await Promise.all(pages.map(statusOf)),
      isFound: found.exitCode === 0,
      fsck: fsck.exitCode,
      pdfs: [pdfsBefore, listPdfs().length],
      synctex: existsSync(join(host.dataDir, 'cache/builds/synctex/1')),
    },
    {
      before: [200, 200, 200],
      planned: [secret, 'secret\n'],
      stillThere: 200,
      outcome: { exitCode: 0, repository: 'alice/tides', commits: 1, builds: 1, freed_bytes: null },
      after: [404, 404, 200],
      isFound: false,
      fsck: 0,
      pdfs: [2, 1],
      synctex: false,
    },
  )
  // The repository accepts pushes again.
  await push('next')
})

test('texproof repo purge frees the storage quota of the owner', async () => {
  writeFileSync(join(checkout, 'noise.bin'), randomBytes(2 * 1024 ** 2))
  await push('large')
  rmSync(join(checkout, 'noise.bin'))
  await push('small', '--amend')
  const quota = ['user', 'quota', 'alice', '--data', host.dataDir]
  await runTexproof([...quota, '--storage', '1m'])
  const env = { GIT_CONFIG_GLOBAL: '/dev/null', HOME: checkout, GIT_TERMINAL_PROMPT: '0' }
  const pushBranch = async (): Promise<string> => {
    const { stderr } = await runProgram('git', ['push', remote, 'HEAD:refs/heads/next'], { cwd: checkout, env })
    return /exceed the storage quota of 1 MB|new branch/.exec(stderr)?.[0] ?? stderr
  }
  const full = await pushBranch()
  await runTexproof(['repo', 'purge', 'alice/tides', '--data', host.dataDir])
  assert.deepEqual([full, await pushBranch()], ['exceed the storage quota of 1 MB', 'new branch'])
})

test('texproof repo purge names a missing repository', async () => {
  const { exitCode, stderr } = await runTexproof(['repo', 'purge', 'alice/waves', '--data', host.dataDir])
  assert.deepEqual([exitCode, stderr.includes('repository "alice/waves" not found')], [2, true])
})
