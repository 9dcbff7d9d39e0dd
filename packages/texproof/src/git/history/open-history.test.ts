import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test, type TestContext } from 'node:test'

import fc from 'fast-check'

import { eventually } from '../../../../platex/test/support/eventually.ts'
import { git, makeTestFolder, openTestStore } from '../../../test/support/git/git-repository.ts'
import { defaultSearchPath } from '../process/spawn-git.ts'
import { openHistory } from './open-history.ts'
import { parseBlame } from './parse-blame.ts'
import { readChangedFiles } from './read-patch.ts'
import { parseFoundLines } from './search-text.ts'
import type { GitStore } from '../types.ts'

/** A repository with one commit per step on `main`; each step is a list of git commands or files to write. */
async function openHistoryStore(
  t: TestContext,
  steps: readonly (readonly (readonly string[] | Readonly<Record<string, string>>)[])[],
): Promise<{ readonly store: GitStore; readonly ids: readonly string[] }> {
  const folder = makeTestFolder(t)
  git(folder, ['init', '-q', '-b', 'main'])
  for (const [n, step] of steps.entries()) {
    for (const part of step)
      if (Array.isArray(part)) git(folder, part)
      else for (const [name, text] of Object.entries(part)) writeFileSync(path.join(folder, name), text)
    git(folder, ['add', '--all'])
    git(folder, ['commit', '-qm', `Step ${n + 1}`])
  }
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: null })
  git(store.gitDir(1), ['fetch', '-q', folder, 'refs/heads/*:refs/heads/*'])
  return { store, ids: git(folder, ['rev-list', '--reverse', 'main']).split('\n') }
}

/** Adds commits that each change the file `young`; returns the id of the last. */
async function changeYoung(store: GitStore, count: number): Promise<string> {
  const commits = Array.from({ length: count }, (_, n) => {
    const from = n === 0 ? 'from refs/heads/main^0\n' : ''
    const who = `committer Alice <alice@example.org> ${1_700_000_100 + n} +0000`
    return `commit refs/heads/main\n${who}\ndata 1\nx\n${from}M 100644 inline young\ndata ${String(n).length}\n${n}\n\n`
  })
  git(store.gitDir(1), ['fast-import', '--quiet'], { input: commits.join('') })
  return (await store.findBranch(1, 'main'))?.commitId ?? ''
}

test('listCommits() returns only commits that changed a path, taken literally', async (t) => {
  const { store, ids } = await openHistoryStore(t, [[{ 'a*.tex': '1', 'ab.tex': '1' }], [{ 'ab.tex': '2' }]])
  const listed = await store.listCommits(1, ids[1] ?? '', { offset: 0, limit: 9, path: 'a*.tex' })
  assert.deepEqual(
    listed?.map(({ commitId }) => commitId),
    [ids[0]],
  )
})

test('history queries find files and folders whose names are not UTF-8', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: null })
  const stream = ['r\\351[1].tex', 'caf\\351/a.tex', 'report.tex'].map((name, n) => {
    const who = `committer Alice <alice@example.org> ${1_700_000_000 + n} +0000`
    return `commit refs/heads/main\n${who}\ndata 1\nx\nM 100644 inline "${name}"\ndata 1\nx\n\n`
  })
  git(store.gitDir(1), ['fast-import', '--quiet'], { input: stream.join('') })
  const [head = '', folder, file] = git(store.gitDir(1), ['rev-list', 'main']).split('\n')
  const whole = { offset: 0, limit: 9 }
  const listed = await Promise.all(
    ['r\uFFFD[1].tex', 'caf\uFFFD'].map((name) => store.listCommits(1, head, { ...whole, path: name })),
  )
  assert.deepEqual(
    listed.map((commits) => commits?.map(({ commitId }) => commitId)),
    [[file], [folder]],
  )
  const range = { fromCommitId: file ?? '', toCommitId: head }
  const patch = await store.readPatch(1, { ...range, paths: ['caf\uFFFD/a.tex'] })
  assert.deepEqual(patch.kind === 'text' && patch.files.map(({ path: changed }) => changed), ['caf\uFFFD/a.tex'])
  const last = await store.findLastCommits(1, { commitId: head, path: 'caf\uFFFD', names: ['a.tex'] })
  assert.deepEqual(
    [...last].map(([name, { commitId }]) => [name, commitId]),
    [['a.tex', folder]],
  )
})

test('listCommits() omits commits that another commit reaches', async (t) => {
  const { store, ids } = await openHistoryStore(t, [[{ a: '1' }], [{ a: '2' }], [{ a: '3' }]])
  const listed = await store.listCommits(1, ids[2] ?? '', { offset: 0, limit: 9, since: ids[0] ?? '' })
  assert.deepEqual(
    listed?.map(({ commitId }) => commitId),
    [ids[2], ids[1]],
  )
})

test('readPatch() counts the lines of each file and returns both names of a renamed one', async (t) => {
  const { store, ids } = await openHistoryStore(t, [
    [{ 'a b.tex': 'one\ntwo\nthree\n', 'c.bin': '\0' }],
    [['mv', 'a b.tex', 'é"d.tex'], { 'c.bin': '\0\0', 'e.tex': 'x\ny\n' }],
  ])
  const patch = await store.readPatch(1, { fromCommitId: ids[0] ?? '', toCommitId: ids[1] ?? '' })
  assert.deepEqual(patch.kind === 'text' && { files: patch.files, isWhole: patch.isWhole }, {
    files: [
      { oldPath: 'c.bin', path: 'c.bin', added: null, removed: null },
      { oldPath: 'e.tex', path: 'e.tex', added: 2, removed: 0 },
      { oldPath: 'a b.tex', path: 'é"d.tex', added: 0, removed: 0 },
    ],
    isWhole: true,
  })
})

test('readPatch() can be limited to paths and can ignore whitespace', async (t) => {
  const { store, ids } = await openHistoryStore(t, [[{ a: 'x y\n', b: '1\n' }], [{ a: 'x  y\n', b: '2\n' }]])
  const range = { fromCommitId: ids[0] ?? '', toCommitId: ids[1] ?? '' }
  const patches = await Promise.all([
    store.readPatch(1, { ...range, paths: ['b'] }),
    store.readPatch(1, { ...range, ignoresSpaces: true }),
  ])
  assert.deepEqual(
    patches.map((patch) => patch.kind === 'text' && patch.files.map(({ path: name }) => name)),
    [['b'], ['b']],
  )
})

test('readPatch() returns the beginning of a change that exceeds its limit', async (t) => {
  const long = 'a line of a table\n'.repeat(100_000)
  const { store, ids } = await openHistoryStore(t, [[{ a: 'x\n' }], [{ a: 'y\n', b: long, c: 'z\n' }]])
  const patch = await store.readPatch(1, { fromCommitId: ids[0] ?? '', toCommitId: ids[1] ?? '' })
  assert.deepEqual(patch.kind === 'text' && [patch.files.length, patch.isWhole], [3, false])
})

test('readPatch() does not read a change with too many files again', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: null })
  const gitDir = store.gitDir(1)
  const blob = git(gitDir, ['hash-object', '-w', '--stdin'], { input: 'x\n' })
  const input = Array.from({ length: 5_001 }, (_, n) => `100644 blob ${blob}\tf${n}\n`).join('')
  const toCommitId = git(gitDir, ['commit-tree', '-m', 'Add files', git(gitDir, ['mktree'], { input })])
  const patch = await store.readPatch(1, { fromCommitId: null, toCommitId })
  assert.deepEqual(patch, { kind: 'too-large' })
  assert.equal(await store.readPatch(1, { fromCommitId: null, toCommitId }), patch)
})

test('readBlame() returns the author, commit and previous location of each line', async (t) => {
  const { store, ids } = await openHistoryStore(t, [[{ a: 'one\ntwo\n' }], [{ a: 'one\n2\n' }]])
  const blame = await store.readBlame(1, { commitId: ids[1] ?? '', path: 'a' })
  const origin = { author: 'Alice', at: 1_700_000_000_000 }
  assert.deepEqual(blame.kind === 'text' && parseBlame(blame.bytes.toString()), [
    { text: 'one', commitId: ids[0], ...origin, subject: 'Step 1', previous: null },
    { text: '2', commitId: ids[1], ...origin, subject: 'Step 2', previous: { commitId: ids[0], path: 'a' } },
  ])
})

test('readBlame() returns the previous path of a line unquoted', async (t) => {
  const name = 'é "a\\b\t\u0001.tex'
  const { store, ids } = await openHistoryStore(t, [[{ [name]: 'one\n' }], [{ [name]: '1\n' }]])
  const blame = await store.readBlame(1, { commitId: ids[1] ?? '', path: name })
  assert.deepEqual(blame.kind === 'text' && parseBlame(blame.bytes.toString()).map(({ previous }) => previous), [
    { commitId: ids[0], path: name },
  ])
})

test('history queries beyond the limit are refused, and equal ones share an answer', async (t) => {
  const { store, ids } = await openHistoryStore(t, [[{ a: '1' }]])
  const search = (text: string) =>
    store.searchText(1, { commitId: ids[0] ?? '', text, isCaseSensitive: true, timeoutMs: 5_000 }).then(
      ({ isWhole }) => isWhole,
      (error: Error) => error.name,
    )
  const same = await Promise.all(Array.from({ length: 400 }, () => search('x')))
  const others = await Promise.all(Array.from({ length: 330 }, (_, n) => search(`x${n}`)))
  assert.deepEqual(
    [new Set(same), others.filter((end) => end === true).length, new Set(others.slice(304))],
    [new Set([true]), 304, new Set(['TooManyWaiting'])],
  )
})

test('searchText() finds lines in a file whose name contains a newline', async (t) => {
  const { store, ids } = await openHistoryStore(t, [[{ 'a\nb:c.tex': 'one\ntwo: 2\n', 'd.tex': 'two\n' }]])
  const query = { commitId: ids[0] ?? '', text: 'two', isCaseSensitive: true, timeoutMs: 5_000 }
  assert.deepEqual(await store.searchText(1, query), {
    lines: [
      { path: 'a\nb:c.tex', line: 2, text: 'two: 2' },
      { path: 'd.tex', line: 1, text: 'two' },
    ],
    isWhole: true,
  })
})

test('readBlame() reports a file that the commit does not have as missing', async (t) => {
  const { store, ids } = await openHistoryStore(t, [[{ a: 'one\n' }]])
  assert.deepEqual(await store.readBlame(1, { commitId: ids[0] ?? '', path: '--help' }), { kind: 'missing' })
})

test('findMergeBase() finds the merge base of two branches, and null for unrelated commits', async (t) => {
  const { store, ids } = await openHistoryStore(t, [
    [{ a: '1' }],
    [{ a: '2' }],
    [['checkout', '-qb', 'other', 'HEAD~1'], { a: '3' }, ['add', '.'], ['commit', '-qm', 'Other'], { b: '1' }],
    [['checkout', '-q', '--orphan', 'alone'], { c: '1' }],
    [['checkout', '-q', 'main'], { a: '4' }],
  ])
  const head = async (name: string): Promise<string> => (await store.findBranch(1, name))?.commitId ?? ''
  const [main, other, alone] = [await head('main'), await head('other'), await head('alone')]
  assert.deepEqual(
    [await store.findMergeBase(1, [main, other]), await store.findMergeBase(1, [main, alone])],
    [ids[0], null],
  )
})

test('findMergeBase() returns null for a missing commit, and fails if git cannot read the repository', async (t) => {
  const { store, ids } = await openHistoryStore(t, [[{ a: '1' }]])
  assert.equal(await store.findMergeBase(1, [ids[0] ?? '', '1'.repeat(40)]), null)
  writeFileSync(path.join(store.gitDir(1), 'config'), '[damaged')
  await assert.rejects(store.findMergeBase(1, [ids[0] ?? '', ids[0] ?? '']), /find a merge base: git ended with 128/)
})

test('findLastCommits() fails if git cannot read the history, and has the commits later', async (t) => {
  const { store, ids } = await openHistoryStore(t, [[{ a: '1' }], [{ b: '1' }]])
  const folder = { commitId: ids[1] ?? '', path: '', names: ['a', 'b'] }
  const config = path.join(store.gitDir(1), 'config')
  const text = readFileSync(config)
  writeFileSync(config, '[damaged')
  await assert.rejects(store.findLastCommits(1, folder), /find last commits: git ended with 128/)
  writeFileSync(config, text)
  const found = await store.findLastCommits(1, folder)
  assert.deepEqual([found.get('a')?.commitId, found.get('b')?.commitId], [ids[0], ids[1]])
})

test('findLastCommits() finds many entries that changed before the last hundred commits', async (t) => {
  const old = Array.from({ length: 6 }, (_, n) => `old-${n}`)
  const later = Array.from({ length: 101 }, (_, n) => ['commit', '-q', '--allow-empty', '-m', `Later ${n}`])
  const { store, ids } = await openHistoryStore(t, [
    [Object.fromEntries(old.map((name) => [name, '1']))],
    [{ 'old-0': '2' }],
    [...later, { recent: '1' }],
  ])
  const found = await store.findLastCommits(1, { commitId: ids[2] ?? '', path: '', names: old })
  assert.deepEqual(
    [...found].map(([name, { commitId }]) => [name, commitId]).toSorted(),
    old.map((name) => [name, name === 'old-0' ? ids[1] : ids[0]]),
  )
})

test('findLastCommits() finds the newest commit that changed each entry or its contents', async (t) => {
  const { store, ids } = await openHistoryStore(t, [
    [{ a: '1', 'b c\n': '1' }],
    [['rm', '-q', 'a'], { d: '1' }],
    [{ a: '2', 'b c\n': '2' }],
    [['mv', 'd', 'e']],
  ])
  const folder = { commitId: ids[3] ?? '', path: '', names: ['a', 'b c\n', 'e'] }
  const found = await store.findLastCommits(1, folder)
  assert.deepEqual([...found].map(([name, commit]) => [name, commit.commitId]).toSorted(), [
    ['a', ids[2]],
    ['b c\n', ids[2]],
    ['e', ids[3]],
  ])
})

test('findLastCommits() finds entries that have not changed for a long time', async (t) => {
  const { store, ids } = await openHistoryStore(t, [[{ old: '1', young: '1' }]])
  const head = await changeYoung(store, 1_050)
  const found = await store.findLastCommits(1, { commitId: head, path: '', names: ['old', 'young'] })
  assert.deepEqual([found.get('old')?.commitId, found.get('young')?.commitId], [ids[0], head])
})

test('findLastCommits() returns what is known after its patience, and everything when git has answered', async (t) => {
  const { store, ids } = await openHistoryStore(t, [[{ old: '1', young: '1' }], [{ young: '2' }]])
  const head = await changeYoung(store, 101)
  const folder = { commitId: head, path: '', names: ['old', 'young'] }
  const bin = makeTestFolder(t)
  const mayAnswer = path.join(bin, 'may-answer')
  writeFileSync(
    path.join(bin, 'git'),
    `#!/bin/sh
PATH=${defaultSearchPath}
case " $* " in *" rev-list "*) until [ -e '${mayAnswer}' ]; do sleep 0.02; done ;; esac
exec git "$@"
`,
    { mode: 0o755 },
  )
  const history = openHistory({ searchPath: `${bin}:${defaultSearchPath}` })
  const first = await eventually(() => history.findLastCommits(store.gitDir(1), folder, { patienceMs: 20 }), {
    until: ({ byName }) => byName.size > 0,
  })
  assert.deepEqual(first, { byName: new Map([['young', head]]), isWhole: false })
  writeFileSync(mayAnswer, '')
  const second = await history.findLastCommits(store.gitDir(1), folder, {})
  assert.deepEqual(
    new Map([...second.byName].toSorted()),
    new Map([
      ['old', ids[0]],
      ['young', head],
    ]),
  )
})

test('findLastCommits() reads only one folder', async (t) => {
  const { store, ids } = await openHistoryStore(t, [
    [{ a: '1' }, ['add', '.']],
    [['mv', 'a', 'x'], { y: '1' }],
    [{ y: '2' }],
  ])
  const folder = { commitId: ids[2] ?? '', path: 'nowhere', names: ['a'] }
  assert.deepEqual(await store.findLastCommits(1, folder), new Map())
})

test('searchText() finds literal text in every text file', async (t) => {
  const { store, ids } = await openHistoryStore(t, [
    [{ 'a b.tex': 'x\n-e .* rises\nThe .* RISES\n', 'c.tex': 'nothing here\n', d: 'a .* rises\0\n' }],
  ])
  const query = { commitId: ids[0] ?? '', text: '.* rises', isCaseSensitive: false, timeoutMs: 5_000 }
  const [any, exact] = await Promise.all([
    store.searchText(1, query),
    store.searchText(1, { ...query, isCaseSensitive: true }),
  ])
  const second = { path: 'a b.tex', line: 2, text: '-e .* rises' }
  assert.deepEqual(
    [any, exact],
    [
      { lines: [second, { path: 'a b.tex', line: 3, text: 'The .* RISES' }], isWhole: true },
      { lines: [second], isWhole: true },
    ],
  )
})

test('searchText() is not complete if git cannot read the repository', async (t) => {
  const { store, ids } = await openHistoryStore(t, [[{ a: 'tide' }]])
  writeFileSync(path.join(store.gitDir(1), 'config'), '[damaged')
  const query = { commitId: ids[0] ?? '', text: 'tide', isCaseSensitive: true, timeoutMs: 5_000 }
  assert.deepEqual(await store.searchText(1, query), { lines: [], isWhole: false })
})

test('searchText() treats text that looks like an option as text', async (t) => {
  const { store, ids } = await openHistoryStore(t, [[{ a: 'git --open-files-in-pager=id\n' }]])
  const text = '--open-files-in-pager=id'
  const query = { commitId: ids[0] ?? '', text, isCaseSensitive: false, timeoutMs: 5_000 }
  assert.deepEqual((await store.searchText(1, query)).lines, [{ path: 'a', line: 1, text: `git ${text}` }])
})

test('parsers of git output accept truncated input', () => {
  const output = `${'a'.repeat(40)} 1 1 1\nauthor A\nsummary s\n\tx\nc:p\0${'1'}\0t\n1\t2\tf\0\0`
  fc.assert(
    fc.property(fc.nat(output.length), fc.nat(output.length), (start, end) => {
      const part = output.slice(start, end)
      parseBlame(part)
      parseFoundLines(part)
      readChangedFiles(Buffer.from(part))
    }),
  )
})
