import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { test, type TestContext } from 'node:test'

import { git, initialCommit, openTestStore } from '../../../test/support/git/git-repository.ts'
import type { PushedCommit } from '../types.ts'
import type { GitStore } from '../types.ts'

const author = { name: 'Alice', email: 'noreply@papers.example', at: 1_700_000_000_000 }
const write = (name: string, text: string, isExecutable = false) =>
  ({ kind: 'write', path: name, bytes: Buffer.from(text), isExecutable }) as const

async function openPaper(t: TestContext): Promise<{ store: GitStore; root: string; headId: string; dir: string }> {
  const { store, root } = await openTestStore(t)
  await store.createRepository(1, {
    defaultBranch: 'main',
    initialCommit: initialCommit({ 'main.tex': 'Tides.\n', 'refs.bib': '@book{a}\n' }),
  })
  return { store, root, headId: (await store.findBranch(1, 'main'))?.commitId ?? '', dir: store.gitDir(1) }
}

function commit(headId: string, details: Partial<PushedCommit>): PushedCommit {
  const made = { author, message: 'Edit main.tex', changes: [write('main.tex', 'Ebb.\n')], maxBytes: 1e6 }
  return { ref: 'refs/heads/main', from: headId, parentId: headId, ...made, ...details }
}

test('pushCommit() writes and removes files, and replaces a folder with a file, and the result passes git fsck', async (t) => {
  const { store, root, headId, dir } = await openPaper(t)
  const odd = 'figs/a "b"\\ä.sh'
  const first = await store.pushCommit(
    1,
    commit(headId, { changes: [write('main.tex', 'Ebb.\n'), write(odd, '', true)] }),
  )
  assert.equal(first.kind, 'committed')
  const nextId = first.kind === 'committed' ? first.commitId : ''
  const changes = [
    { kind: 'remove', path: odd } as const,
    { kind: 'remove', path: 'refs.bib' } as const,
    write('figs', ''),
  ]
  await store.pushCommit(1, commit(nextId, { changes, message: 'Tidy\n\nLong words.' }))
  assert.equal(git(dir, ['fsck', '--strict']), '')
  assert.deepEqual(git(dir, ['log', '--format=%s|%an <%ae> %ct', 'main']).split('\n'), [
    'Tidy|Alice <noreply@papers.example> 1700000000',
    'Edit main.tex|Alice <noreply@papers.example> 1700000000',
    'Initial commit|Alice <alice@example.org> 1700000000',
  ])
  const filesAt = (ref: string): readonly string[] =>
    git(dir, ['ls-tree', '-rz', ref])
      .split('\0')
      .map((entry) => entry.replace(/ blob [0-9a-f]+\t/, ' '))
  assert.deepEqual(filesAt('main'), ['100644 figs', '100644 main.tex', ''])
  assert.deepEqual(filesAt('main~'), [`100755 ${odd}`, '100644 main.tex', '100644 refs.bib', ''])
  assert.deepEqual(readdirSync(path.join(root, 'tmp')), [])
})

test('pushCommit() renames files and folders with their modes, and writes a renamed file', async (t) => {
  const { store, headId, dir } = await openPaper(t)
  const files = { changes: [write('figs/a/b.sh', 'echo\n', true), write('figs/c "d".txt', 'C\n')] }
  const first = await store.pushCommit(1, commit(headId, files))
  const changes = [
    { kind: 'rename', path: 'figs', newPath: 'plots/old' } as const,
    { kind: 'rename', path: 'main.tex', newPath: 'paper.tex' } as const,
    write('paper.tex', 'Ebb.\n'),
  ]
  await store.pushCommit(1, commit(first.kind === 'committed' ? first.commitId : '', { changes }))
  const listed = git(dir, ['ls-tree', '-r', 'main'])
    .split('\n')
    .map((entry) => entry.replace(/ blob [0-9a-f]+\t/, ' '))
  assert.deepEqual(
    [listed, git(dir, ['show', 'main:paper.tex'])],
    [['100644 paper.tex', '100755 plots/old/a/b.sh', '100644 "plots/old/c \\"d\\".txt"', '100644 refs.bib'], 'Ebb.'],
  )
})

test('pushCommit() does not change a branch that has moved, was reset or deleted, or exists already', async (t) => {
  const { store, headId, dir } = await openPaper(t)
  const later = await store.pushCommit(1, commit(headId, {}))
  const laterId = later.kind === 'committed' ? later.commitId : ''
  const tried = [
    commit(headId, { changes: [write('main.tex', 'Flood.\n')] }),
    commit(laterId, { from: headId }),
    commit(laterId, { ref: 'refs/heads/gone' }),
    commit(laterId, { from: null }),
  ]
  for (const each of tried) assert.deepEqual(await store.pushCommit(1, each), { kind: 'moved' })
  assert.deepEqual(git(dir, ['for-each-ref', '--format=%(refname) %(objectname)']), `refs/heads/main ${laterId}`)
})

test('pushCommit() fails for a branch that git cannot read, which is not a moved one', async (t) => {
  const { store, headId, dir } = await openPaper(t)
  symlinkSync('loop', path.join(dir, 'refs/heads/loop'))
  await assert.rejects(store.pushCommit(1, commit(headId, { ref: 'refs/heads/loop' })), /push commit: unpack ok, ng /)
})

test('pushCommit() makes the first commit of an empty repository, and creates a branch', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: null })
  const first = await store.pushCommit(1, commit('', { from: null, parentId: null }))
  const firstId = first.kind === 'committed' ? first.commitId : ''
  assert.deepEqual(await store.listBranches(1), [{ name: 'main', commitId: firstId }])
  const second = await store.pushCommit(1, {
    ...commit(firstId, { changes: [write('a', 'b')] }),
    from: null,
    ref: 'refs/heads/alice-1',
  })
  assert.equal(second.kind, 'committed')
})

test('pushCommit() refuses the same as a push: malicious submodule settings, and too many bytes', async (t) => {
  const { store, headId, dir } = await openPaper(t)
  const modules = '[submodule "a"]\n\tpath = a\n\turl = -u./payload\n'
  const refused = await store.pushCommit(1, commit(headId, { changes: [write('.gitmodules', modules)] }))
  assert.deepEqual(refused, { kind: 'refused', reason: 'gitmodulesUrl: disallowed submodule url: -u./payload' })
  const noise = randomBytes(2_000).toString('hex')
  const large = await store.pushCommit(1, commit(headId, { changes: [write('noise', noise)], maxBytes: 1_000 }))
  assert.deepEqual(large, { kind: 'too-large' })
  assert.equal(git(dir, ['rev-list', '--count', '--all']), '1')
})

test('pushCommit() counts no commit that waits for what is around it as running', async (t) => {
  const { store, headId } = await openPaper(t)
  const isReady = Promise.withResolvers<void>()
  const slow = ['a', 'b', 'c', 'd'].map((name) => {
    const reached = Promise.withResolvers<void>()
    const around: NonNullable<PushedCommit['around']> = async (_commitId, push) => {
      const outcome = await push()
      reached.resolve()
      await isReady.promise
      return outcome
    }
    const done = store.pushCommit(1, commit(headId, { ref: `refs/heads/${name}`, from: null, around }))
    return { reached: reached.promise, done }
  })
  await Promise.all(slow.map(({ reached }) => reached))
  const other = await store.pushCommit(1, commit(headId, {}))
  isReady.resolve()
  const outcomes = await Promise.all(slow.map(({ done }) => done))
  assert.deepEqual(
    [other, ...outcomes].map(({ kind }) => kind),
    Array.from({ length: 5 }, () => 'committed'),
  )
})
