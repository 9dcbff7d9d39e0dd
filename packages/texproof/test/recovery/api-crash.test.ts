import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { openGitStore } from '../../src/git/open-git-store.ts'
import { addUser } from '../../src/accounts/users/add-user.ts'
import { createRepository } from '../../src/operations/repository/create-repository.ts'
import { removeUnfinishedRepositories } from '../../src/operations/repository/remove-unfinished.ts'
import { openStore } from '../../src/store/store.ts'
import { runProgram } from '../support/programs/run-program.ts'
import { runTestGit } from '../support/programs/run-program.ts'

const program = join(import.meta.dirname, '../support/recovery/create-and-die.ts')

test('a process killed at any step of creating a repository leaves it complete or absent, and its name free', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'texproof-crash-'))
  context.after(() => rm(folder, { recursive: true, force: true }))
  const found: string[] = []
  for (let step = 0; found.at(-1) !== 'alive'; step += 1) {
    found.push(await dieAt(step, join(folder, String(step))))
  }
  // Absent until the row is ready, then complete, and nothing else.
  assert.deepEqual(found, [...found.slice(0, -2).map(() => 'absent'), 'whole', 'alive'])
  assert.ok(found.length > 10, `only ${found.length} steps`)
})

/** Kills the process at a step and inspects the result; creates the repository if it is absent. */
async function dieAt(step: number, dataDir: string): Promise<'absent' | 'whole' | 'alive'> {
  const before = await openStore({ dataDir })
  await addUser(before, { login: 'alice' })
  await before.close()
  const args = ['--conditions=texproof-source', '--disable-warning=ExperimentalWarning', program, dataDir, String(step)]
  const { stdout } = await runProgram(process.execPath, args)

  const store = await openStore({ dataDir })
  const git = await openGitStore({ root: join(dataDir, 'repositories') })
  try {
    await removeUnfinishedRepositories({ store, git }, { olderThanMs: -1 })
    const existing = await store.repositories.findByName('alice', 'tides')
    const repository = existing ?? (await makeAgain(store, git))
    const gitDir = git.gitDir(repository.id)
    await runTestGit(gitDir, ['fsck', '--strict'])
    assert.equal(await runTestGit(gitDir, ['ls-tree', '--name-only', 'HEAD']), '.gitignore\nLICENSE\nREADME.md')
    assert.deepEqual(await store.repositories.listUnfinished({ before: Date.now() + 1 }), [])
    if (stdout === 'done') return 'alive'
    return existing === null ? 'absent' : 'whole'
  } finally {
    await git.close()
    await store.close()
  }
}

async function makeAgain(store: Awaited<ReturnType<typeof openStore>>, git: Awaited<ReturnType<typeof openGitStore>>) {
  const owner = await store.users.findByLogin('alice')
  assert.ok(owner !== null)
  const outcome = await createRepository(
    { store, git },
    {
      owner,
      name: 'Tides',
      description: null,
      visibility: 'public',
      firstCommit: { gitignore: 'TeX', license: 'mit' },
      authorEmail: 'noreply@localhost',
      projectUrl: 'http://localhost/alice/tides',
    },
  )
  assert.equal(outcome.kind, 'created')
  return outcome.kind === 'created' ? outcome.repository : assert.fail()
}
