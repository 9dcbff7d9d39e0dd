import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test, type TestContext } from 'node:test'

import { git, makeTestFolder } from '../../../test/support/git/git-repository.ts'
import { checkGit } from './check-git.ts'

/** A folder for PATH with a `git` that only prints a version. */
function makeFakeGit(t: TestContext, version: string): string {
  const folder = makeTestFolder(t)
  writeFileSync(path.join(folder, 'git'), `#!/bin/sh\necho "git version ${version}"\n`, { mode: 0o755 })
  return folder
}

test('checkGit() finds no problem on this machine and returns the version', async (t) => {
  const version = /\d+\.\d+\.\d+/.exec(git('/', ['version']))?.[0]
  assert.deepEqual(await checkGit({ dataDir: makeTestFolder(t) }), { version, problem: null })
})

test('checkGit() explains how to install git if it is missing', async (t) => {
  const folder = makeTestFolder(t)
  assert.deepEqual(await checkGit({ dataDir: folder, searchPath: folder }), {
    version: null,
    problem: { problem: 'git was not found.', remedy: 'Install it: sudo apt-get install git' },
  })
})

test('checkGit() explains how to raise the limit of open files', () => {
  const check = `
    import { execFileSync } from 'node:child_process'
    import { checkGit } from '${import.meta.resolve('./check-git.ts')}'
    execFileSync('prlimit', ['--pid', String(process.pid), '--nofile=3:'])
    console.log(JSON.stringify(await checkGit({ dataDir: '/' })))`
  const args = [...process.execArgv, '--input-type=module', '--eval', check]
  assert.deepEqual(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })), {
    version: null,
    problem: {
      problem: 'git cannot be started, because too many files are open: spawn git EMFILE.',
      remedy: 'Raise the limit: ulimit -n 65536, or LimitNOFILE=65536 in the systemd unit.',
    },
  })
})

test('checkGit() gives the reason when git cannot run', async (t) => {
  const folder = makeTestFolder(t)
  writeFileSync(path.join(folder, 'git'), '#!/bin/sh\necho no memory >&2\nexit 3\n', { mode: 0o755 })
  assert.deepEqual(await checkGit({ dataDir: folder, searchPath: folder }), {
    version: null,
    problem: {
      problem: 'git version failed: exit code 3 no memory.',
      remedy: 'Check that the machine can start programs: git version',
    },
  })
})

for (const version of ['2.30.2', '2.34.1', '1.9', '2.35.99.windows.1']) {
  test(`checkGit() reports that git ${version} is too old`, async (t) => {
    const check = await checkGit({ dataDir: makeTestFolder(t), searchPath: makeFakeGit(t, version) })
    assert.match(check.problem?.problem ?? '', /^git [\d.]+ is too old/)
  })
}

for (const version of ['2.36.0', '2.39.5', '2.51.0 (Apple Git-154)', '3.0']) {
  test(`checkGit() accepts git ${version}`, async (t) => {
    const check = await checkGit({ dataDir: makeTestFolder(t), searchPath: makeFakeGit(t, version) })
    assert.equal(check.problem, null)
  })
}

const needsRoot = { skip: process.getuid?.() !== 0 && 'needs root' }

test(
  'checkGit() reports a repository that does not belong to the owner of the data directory',
  needsRoot,
  async (t) => {
    const dataDir = makeTestFolder(t)
    const folder = path.join(dataDir, 'repositories', '01')
    mkdirSync(folder, { recursive: true })
    chownSync(folder, 12_345, 12_345)
    const { problem } = await checkGit({ dataDir })
    assert.deepEqual(problem, {
      problem: `${folder} does not belong to uid 0, the owner of the data directory, so git refuses to open it.`,
      remedy: `sudo chown -R 0 ${path.join(dataDir, 'repositories')}`,
    })
  },
)

test('checkGit() accepts the repositories of another user if the data directory is theirs', needsRoot, async (t) => {
  const dataDir = makeTestFolder(t)
  mkdirSync(path.join(dataDir, 'repositories'))
  for (const place of [dataDir, path.join(dataDir, 'repositories')]) chownSync(place, 12_345, 12_345)
  const { problem } = await checkGit({ dataDir })
  assert.equal(problem, null)
})
