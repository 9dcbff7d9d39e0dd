import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test, type TestContext } from 'node:test'

import { initialCommit, makeTestFolder, openTestStore } from '../../../test/support/git/git-repository.ts'
import { gitSettings, withoutFlushesOfRefs, type GitSetting } from './git-settings.ts'

/** How many files git flushes to disk when it creates a branch and a blob. */
async function countFlushes(t: TestContext, settings: readonly GitSetting[]) {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'main.tex': 'Hello.\n' }) })
  const count = (name: string, args: readonly string[]): number => {
    const events = path.join(makeTestFolder(t), name)
    execFileSync('git', [...settings.flatMap(([key, value]) => ['-c', `${key}=${value}`]), ...args], {
      env: { ...process.env, GIT_DIR: store.gitDir(1), GIT_TRACE2_EVENT: events },
      // Without input, the pipe would break if git ends before it is written.
      ...(args.includes('--stdin') ? { input: name } : {}),
      stdio: [args.includes('--stdin') ? 'pipe' : 'ignore', 'ignore', 'inherit'],
    })
    return Number(/"fsync\/hardware-flush","value":"(\d+)"/.exec(readFileSync(events, 'utf8'))?.[1] ?? 0)
  }
  return {
    ref: count('ref', ['update-ref', 'refs/heads/next', 'refs/heads/main']),
    object: count('object', ['hash-object', '-w', '--stdin']),
  }
}

test('git flushes objects and refs', async (t) => {
  assert.deepEqual(await countFlushes(t, gitSettings), { ref: 1, object: 1 })
})

test('git flushes objects, but no single ref, for a push of many refs', async (t) => {
  assert.deepEqual(await countFlushes(t, [...gitSettings, withoutFlushesOfRefs]), { ref: 0, object: 1 })
})
