import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { test, type TestContext } from 'node:test'

import { git, initialCommit, makeTestFolder, openTestStore } from '../../test/support/git/git-repository.ts'
import type { GitStore } from './types.ts'

/** A store with repository 1, which has a first commit, and its git directory. */
async function openWithRepository(t: TestContext) {
  const { store, root } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'main.tex': 'Hello.\n' }) })
  const gitDir = store.gitDir(1)
  const [main] = await store.listBranches(1)
  assert.ok(main)
  return { store, root, gitDir, main: main.commitId }
}

async function namesOf(refs: ReturnType<GitStore['listBranches']>): Promise<readonly string[]> {
  return (await refs).map(({ name }) => name)
}

test('createRepository() creates a repository that passes git fsck', async (t) => {
  const { gitDir } = await openWithRepository(t)
  assert.equal(git(gitDir, ['fsck', '--strict', '--full']), '')
  assert.equal(git(gitDir, ['show', 'HEAD:main.tex']), 'Hello.')
})

test('createRepository() makes the first commit as specified', async (t) => {
  const { store, main } = await openWithRepository(t)
  const alice = { name: 'Alice', email: 'alice@example.org', at: 1_700_000_000_000 }
  const commit = await store.findCommit(1, main)
  assert.deepEqual(commit, {
    commitId: main,
    treeId: commit?.treeId,
    parentIds: [],
    author: alice,
    committer: alice,
    message: 'Initial commit',
  })
})

test('createRepository() creates an empty repository with an unborn default branch', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(300, { defaultBranch: 'trunk', initialCommit: null })
  assert.equal(git(store.gitDir(300), ['symbolic-ref', 'HEAD']), 'refs/heads/trunk')
  assert.deepEqual([await store.listBranches(300), await store.listTags(300)], [[], []])
})

test('createRepository() replaces nothing that exists', async (t) => {
  const { store, main } = await openWithRepository(t)
  await assert.rejects(store.createRepository(1, { defaultBranch: 'other', initialCommit: null }), /1 exists/)
  assert.deepEqual(await store.findBranch(1, 'main'), { name: 'main', commitId: main })
})

test('createRepository() creates one repository for many concurrent calls', async (t) => {
  const { store, root } = await openTestStore(t)
  const attempts = Array.from({ length: 20 }, () =>
    store.createRepository(5, { defaultBranch: 'main', initialCommit: initialCommit({ 'a.tex': 'a' }) }),
  )
  const outcomes = await Promise.allSettled(attempts)
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.deepEqual(readdirSync(path.join(root, 'tmp')), [])
  assert.equal(git(store.gitDir(5), ['fsck', '--strict']), '')
})

for (const name of ['../x', 'a b', 'HEAD', '-x', '']) {
  test(`createRepository() refuses the default branch ${JSON.stringify(name)}`, async (t) => {
    const { store } = await openTestStore(t)
    await assert.rejects(store.createRepository(1, { defaultBranch: name, initialCommit: null }))
    assert.equal(await store.hasRepository(1), false)
  })
}

test('removeRepository() leaves nothing, and can be repeated', async (t) => {
  const { store, root, main } = await openWithRepository(t)
  await store.findCommit(1, main)
  await store.removeRepository(1)
  await store.removeRepository(1)
  assert.deepEqual(
    readdirSync(root).map((name) => readdirSync(path.join(root, name))),
    [[], [], []],
  )
  assert.deepEqual(
    [await store.hasRepository(1), await store.listBranches(1), await store.findCommit(1, main)],
    [false, [], null],
  )
})

test('listBranches() sees each change immediately, loose or packed', async (t) => {
  const { store, gitDir, main } = await openWithRepository(t)
  const seen: (readonly string[])[] = []
  const steps = [
    ['branch', 'b'],
    ['branch', 'a/b/c'],
    ['pack-refs', '--all', '--prune'],
    ['branch', 'd'],
    ['branch', '-D', 'b'],
    ['branch', '-m', 'd', 'e'],
    ['pack-refs', '--all'],
    ['branch', '-D', 'a/b/c'],
  ]
  for (const step of steps) {
    git(gitDir, [...step, ...(step[0] === 'branch' && step.length === 2 ? [main] : [])])
    seen.push(await namesOf(store.listBranches(1)))
  }
  assert.deepEqual(seen, [
    ['b', 'main'],
    ['a/b/c', 'b', 'main'],
    ['a/b/c', 'b', 'main'],
    ['a/b/c', 'b', 'd', 'main'],
    ['a/b/c', 'd', 'main'],
    ['a/b/c', 'e', 'main'],
    ['a/b/c', 'e', 'main'],
    ['e', 'main'],
  ])
})

test('listBranches() returns the same array while no ref moves', async (t) => {
  const { store } = await openWithRepository(t)
  assert.equal(await store.listBranches(1), await store.listBranches(1))
})

test('pageBranches() returns a page of the branches and their number', async (t) => {
  const { store, gitDir, main } = await openWithRepository(t)
  for (const name of ['a', 'b', 'z']) git(gitDir, ['branch', name, main])
  await store.maintain(1)
  git(gitDir, ['branch', 'c', main])
  assert.deepEqual(
    [await store.pageBranches(1, { offset: 1, limit: 2 }), await store.pageBranches(1, { offset: 9, limit: 2 })],
    [
      {
        branches: [
          { name: 'b', commitId: main },
          { name: 'c', commitId: main },
        ],
        total: 5,
      },
      { branches: [], total: 5 },
    ],
  )
})

test('listBranches() sorts by UTF-8 bytes', async (t) => {
  const { store, gitDir, main } = await openWithRepository(t)
  const names = ['\u{1f600}', '\u{e000}', 'Zeta', 'alpha', 'a/b', 'a-b', 'ü']
  for (const name of names) git(gitDir, ['branch', name, main])
  const expected = git(gitDir, ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads/']).split('\n')
  const loose = await namesOf(store.listBranches(1))
  await store.maintain(1)
  assert.deepEqual([loose, await namesOf(store.listBranches(1))], [expected, expected])
})

test('listBranches() omits symbolic refs, links and locks, but no damaged file', async (t) => {
  const { store, gitDir } = await openWithRepository(t)
  git(gitDir, ['symbolic-ref', 'refs/heads/alias', 'refs/heads/main'])
  symlinkSync('/etc/hostname', path.join(gitDir, 'refs/heads/link'))
  symlinkSync('/etc', path.join(gitDir, 'refs/heads/folder'))
  writeFileSync(path.join(gitDir, 'refs/heads/main.lock'), 'x')
  assert.deepEqual(await namesOf(store.listBranches(1)), ['main'])
  for (const [name, text] of [
    ['empty', ''],
    ['broken', 'not an id\n'],
  ] as const) {
    const file = path.join(gitDir, 'refs/heads', name)
    writeFileSync(file, text)
    await assert.rejects(store.listBranches(1), { code: 'REF_DAMAGED', path: file })
    rmSync(file)
  }
  assert.deepEqual(await namesOf(store.listBranches(1)), ['main'])
})

test('findBranch() matches exact names only', async (t) => {
  const { store, gitDir, main } = await openWithRepository(t)
  git(gitDir, ['branch', 'feature/a', main])
  git(gitDir, ['tag', 'v1', main])
  const names = [
    'feature/a',
    'Main',
    'heads/main',
    'refs/heads/main',
    'HEAD',
    'main~0',
    'main^{commit}',
    'm*',
    main,
    'v1',
    'feature',
    'feature/',
    '/main',
    '../heads/main',
    'main\n',
    'main\0',
    '',
    '.',
    'feature//a',
    '@',
  ]
  const found = await Promise.all(names.map((name) => store.findBranch(1, name)))
  assert.deepEqual(found, [{ name: 'feature/a', commitId: main }, ...names.slice(1).map(() => null)])
})

test('findBranch() finds branches with malicious names that git has stored', async (t) => {
  const { store, gitDir, main } = await openWithRepository(t)
  const names = [
    '-x',
    '--output=pwn',
    '<img/src=x/onerror=alert(1)>',
    'a'.repeat(40),
    'x\u202ey',
    "o'clock",
    '$(touch)',
  ]
  for (const name of names) git(gitDir, ['update-ref', `refs/heads/${name}`, main])
  const found = await Promise.all(names.map((name) => store.findBranch(1, name)))
  assert.deepEqual(
    found,
    names.map((name) => ({ name, commitId: main })),
  )
})

test('findBranch() ignores a tag of the same name', async (t) => {
  const { store, gitDir, main } = await openWithRepository(t)
  const tree = git(gitDir, ['rev-parse', 'HEAD^{tree}'])
  const other = git(gitDir, ['commit-tree', '-m', 'other', tree])
  git(gitDir, ['update-ref', 'refs/tags/main', other])
  git(gitDir, ['update-ref', 'refs/tags/refs/heads/main', other])
  assert.deepEqual(await store.findBranch(1, 'main'), { name: 'main', commitId: main })
})

test('listTags() peels annotated and nested tags and omits trees and blobs', async (t) => {
  const { store, gitDir, main } = await openWithRepository(t)
  git(gitDir, ['tag', 'light', main])
  git(gitDir, ['tag', '-a', '-m', 'one', 'annotated', main])
  git(gitDir, ['tag', '-a', '-m', 'two', 'nested', 'annotated'])
  git(gitDir, ['tag', 'tree', `${main}^{tree}`])
  git(gitDir, ['tag', '-a', '-m', 'blob', 'annotated-blob', `${main}:main.tex`])
  const loose = await store.listTags(1)
  await store.maintain(1)
  const expected = ['annotated', 'light', 'nested'].map((name) => ({ name, commitId: main }))
  assert.deepEqual([loose, await store.listTags(1)], [expected, expected])
  const found = await Promise.all(['nested', 'tree', 'annotated-blob', 'absent'].map((name) => store.findTag(1, name)))
  assert.deepEqual(found, [{ name: 'nested', commitId: main }, null, null, null])
})

test('findCommit() returns null for anything but a commit', async (t) => {
  const { store, gitDir, main } = await openWithRepository(t)
  const tree = git(gitDir, ['rev-parse', 'HEAD^{tree}'])
  const ids = [tree, 'f'.repeat(40), main.slice(0, 10), 'main', `${main}\n`, `${main}^`, '', '--help']
  assert.deepEqual(
    await Promise.all(ids.map((id) => store.findCommit(1, id))),
    ids.map(() => null),
  )
})

test('reads of an absent repository are empty', async (t) => {
  const { store } = await openTestStore(t)
  const id = 'a'.repeat(40)
  assert.deepEqual(
    [
      await store.hasRepository(9),
      await store.listBranches(9),
      await store.listTags(9),
      await store.findBranch(9, 'main'),
      await store.findCommit(9, id),
      await store.listFolder(9, id, ''),
      await store.listFiles(9, id, { maxFiles: 10 }),
      await store.readBlob(9, id, { maxBytes: 10 }),
    ],
    [false, [], [], null, null, null, null, null],
  )
})

test('a repository that git refuses is reported as damaged, not as empty', async (t) => {
  const { store, gitDir, main } = await openWithRepository(t)
  writeFileSync(path.join(gitDir, 'config'), '[broken')
  writeFileSync(path.join(gitDir, 'packed-refs'), Buffer.from([0, 1, 2, 255, 10, 32, 10, 94]))
  const damaged = { name: 'DamagedObjectError', path: gitDir }
  await assert.rejects(store.findCommit(1, main), damaged)
  await assert.rejects(store.listFolder(1, main, ''), damaged)
})

test('a damaged object is reported with its path and does not affect concurrent reads', async (t) => {
  const { store, gitDir, main } = await openWithRepository(t)
  const good = git(gitDir, ['hash-object', '-w', '--stdin'], { input: 'good' })
  const bad = git(gitDir, ['hash-object', '-w', '--stdin'], { input: 'bad' })
  const file = path.join(gitDir, 'objects', bad.slice(0, 2), bad.slice(2))
  chmodSync(file, 0o600)
  writeFileSync(file, 'garbage')
  const reads = await Promise.allSettled(
    [bad, good, bad, good, good].map((id) => store.readBlob(1, id, { maxBytes: 100 })),
  )
  const fault = `DamagedObjectError: cannot read object ${bad} of ${gitDir}`
  assert.deepEqual(
    reads.map((read) =>
      read.status === 'rejected' ? String(read.reason) : read.value && Buffer.from(read.value).toString(),
    ),
    [fault, 'good', fault, 'good', 'good'],
  )
  assert.equal((await store.findCommit(1, main))?.commitId, main)
})

test('100 concurrent reads each get their own object', async (t) => {
  const { store, gitDir } = await openWithRepository(t)
  const texts = Array.from({ length: 100 }, (_, index) => `${index} `.repeat(index * 40))
  const ids = texts.map((text) => git(gitDir, ['hash-object', '-w', '--stdin'], { input: text }))
  const asked = ids.flatMap((id) => [id, 'e'.repeat(40)])
  const read = await Promise.all(asked.map((id) => store.readBlob(1, id, { maxBytes: 1_000_000 })))
  assert.deepEqual(
    read.map((bytes) => bytes && Buffer.from(bytes).toString()),
    texts.flatMap((text) => [text, null]),
  )
})

test('readBlob() returns binary content unchanged and nothing over its limit', async (t) => {
  const { store, gitDir } = await openWithRepository(t)
  const bytes = Buffer.from(Array.from({ length: 3_000 }, (_, index) => index % 256))
  const id = git(gitDir, ['hash-object', '-w', '--stdin'], { input: bytes })
  const reads = [await store.readBlob(1, id, { maxBytes: 3_000 }), await store.readBlob(1, id, { maxBytes: 2_999 })]
  assert.deepEqual(reads, [bytes, null])
})

/** A commit whose tree has one entry of each kind. */
function commitManyKinds(gitDir: string, main: string): string {
  const blob = git(gitDir, ['hash-object', '-w', '--stdin'], { input: 'text' })
  const inner = git(gitDir, ['mktree', '-z'], { input: `100644 blob ${blob}\tintro.tex\0` })
  const lines = [
    `040000 tree ${inner}\tsections`,
    `100755 blob ${blob}\tbuild.sh`,
    `120000 blob ${blob}\tlink`,
    `160000 commit ${main}\tmodule`,
    `100644 blob ${blob}\tnew\nline "quoted".tex`,
    `100644 blob ${blob}\tZ.tex`,
  ]
  const tree = git(gitDir, ['mktree', '-z'], { input: lines.map((line) => `${line}\0`).join('') })
  return git(gitDir, ['commit-tree', '-m', 'kinds', tree])
}

test('listFolder() lists folders first, then by name', async (t) => {
  const { store, gitDir, main } = await openWithRepository(t)
  const commitId = commitManyKinds(gitDir, main)
  const root = await store.listFolder(1, commitId, '')
  assert.deepEqual(
    root?.map(({ name, kind }) => [name, kind]),
    [
      ['sections', 'folder'],
      ['Z.tex', 'file'],
      ['build.sh', 'executable'],
      ['link', 'symlink'],
      ['module', 'submodule'],
      ['new\nline "quoted".tex', 'file'],
    ],
  )
  assert.deepEqual(
    (await store.listFolder(1, commitId, 'sections'))?.map(({ name }) => name),
    ['intro.tex'],
  )
})

test('listFolder() returns null for a path that is not a folder', async (t) => {
  const { store, gitDir, main } = await openWithRepository(t)
  const commitId = commitManyKinds(gitDir, main)
  const paths = [
    'build.sh',
    'sections/',
    '/sections',
    'sections/..',
    '..',
    '.',
    'absent',
    'sections\nx',
    'link',
    'module',
  ]
  assert.deepEqual(
    await Promise.all(paths.map((at) => store.listFolder(1, commitId, at))),
    paths.map(() => null),
  )
})

test('listFiles() lists every file with its size', async (t) => {
  const { store, gitDir, main } = await openWithRepository(t)
  const files = await store.listFiles(1, commitManyKinds(gitDir, main), { maxFiles: 6 })
  assert.deepEqual(
    files?.map(({ path: at, kind, size }) => [at, kind, size]),
    [
      ['Z.tex', 'file', 4],
      ['build.sh', 'executable', 4],
      ['link', 'symlink', 4],
      ['module', 'submodule', 0],
      ['new\nline "quoted".tex', 'file', 4],
      ['sections/intro.tex', 'file', 4],
    ],
  )
})

test('listFiles() returns null over its limit, not a part of the list', async (t) => {
  const { store, gitDir, main } = await openWithRepository(t)
  assert.equal(await store.listFiles(1, commitManyKinds(gitDir, main), { maxFiles: 5 }), null)
})

test('listFiles() refuses a tree of 10^8 paths', async (t) => {
  const { store, gitDir } = await openWithRepository(t)
  let entry = `100644 blob ${git(gitDir, ['hash-object', '-w', '--stdin'], { input: 'x' })}`
  for (let level = 0; level < 8; level += 1) {
    const lines = Array.from({ length: 10 }, (_, index) => `${entry}\t${index}\0`).join('')
    entry = `040000 tree ${git(gitDir, ['mktree', '-z'], { input: lines })}`
  }
  const commitId = git(gitDir, ['commit-tree', '-m', 'bomb', entry.slice(-40)])
  assert.equal(await store.listFiles(1, commitId, { maxFiles: 2_000 }), null)
})

/** A commit whose root names one folder many times; each has the same files. */
function commitSameFolders(
  gitDir: string,
  { folderCount, fileCount }: { readonly folderCount: number; readonly fileCount: number },
): string {
  const repeat = (entry: string, count: number): string => {
    const input = Array.from({ length: count }, (_, index) => `${entry}\t${index}\0`).join('')
    return git(gitDir, ['mktree', '-z'], { input })
  }
  const blob = git(gitDir, ['hash-object', '-w', '--stdin'], { input: 'x' })
  const root = repeat(`040000 tree ${repeat(`100644 blob ${blob}`, fileCount)}`, folderCount)
  return git(gitDir, ['commit-tree', '-m', 'wide', root])
}

test('listFiles() refuses a root with 10,000 names of one folder of 10,000 files', async (t) => {
  const { store, gitDir } = await openWithRepository(t)
  const commitId = commitSameFolders(gitDir, { folderCount: 10_000, fileCount: 10_000 })
  assert.equal(await store.listFiles(1, commitId, { maxFiles: 10_000 }), null)
})

test('listFiles() refuses 13 folders of 10,000 files each over its limit', async (t) => {
  const { store, gitDir } = await openWithRepository(t)
  const commitId = commitSameFolders(gitDir, { folderCount: 13, fileCount: 10_000 })
  assert.equal(await store.listFiles(1, commitId, { maxFiles: 129_999 }), null)
})

test('listFiles() lists 13 folders of 10,000 files each within its limit', async (t) => {
  const { store, gitDir } = await openWithRepository(t)
  const commitId = commitSameFolders(gitDir, { folderCount: 13, fileCount: 10_000 })
  assert.equal((await store.listFiles(1, commitId, { maxFiles: 130_000 }))?.length, 130_000)
})

test('listFiles() refuses a path longer than any of a file system', async (t) => {
  const { store, gitDir } = await openWithRepository(t)
  const blob = git(gitDir, ['hash-object', '-w', '--stdin'], { input: 'x' })
  const folder = git(gitDir, ['mktree'], { input: `100644 blob ${blob}\tmain.tex\n` })
  const commitIn = (name: string): string => {
    const root = git(gitDir, ['mktree'], { input: `040000 tree ${folder}\t${name}\n` })
    return git(gitDir, ['commit-tree', '-m', 'long', root])
  }
  const [fits, long] = [commitIn('d'.repeat(4_087)), commitIn('d'.repeat(4_088))]
  assert.deepEqual(
    [(await store.listFiles(1, fits, { maxFiles: 1 }))?.length, await store.listFiles(1, long, { maxFiles: 1 })],
    [1, null],
  )
})

test('a SHA-256 repository can be read', async (t) => {
  const { store } = await openTestStore(t)
  const gitDir = store.gitDir(2)
  mkdirSync(gitDir, { recursive: true })
  git(gitDir, ['init', '--quiet', '--bare', '--object-format=sha256'])
  const blob = git(gitDir, ['hash-object', '-w', '--stdin'], { input: 'text' })
  const tree = git(gitDir, ['mktree'], { input: `100644 blob ${blob}\tmain.tex\n` })
  const commitId = git(gitDir, ['commit-tree', '-m', 'long', tree])
  git(gitDir, ['update-ref', 'refs/heads/main', commitId])
  git(gitDir, ['tag', '-a', '-m', 'v1', 'v1', commitId])
  assert.deepEqual(
    [
      await store.listBranches(2),
      await store.listTags(2),
      (await store.findCommit(2, commitId))?.treeId,
      await store.listFiles(2, commitId, { maxFiles: 9 }),
    ],
    [
      [{ name: 'main', commitId }],
      [{ name: 'v1', commitId }],
      tree,
      [{ path: 'main.tex', objectId: blob, kind: 'file', size: 4 }],
    ],
  )
})

test('refs in an unsupported format are read by git', async (t) => {
  const { store, gitDir, main } = await openWithRepository(t)
  git(gitDir, ['tag', '-a', '-m', 'v1', 'v1', main])
  // This git version cannot create reftables; with format version 0, it ignores the extension and lists the files.
  git(gitDir, ['config', 'extensions.refStorage', 'reftable'])
  assert.deepEqual(
    [await store.listBranches(1), await store.listTags(1)],
    [[{ name: 'main', commitId: main }], [{ name: 'v1', commitId: main }]],
  )
})

test('setDefaultBranch() points HEAD at a branch, existing or not', async (t) => {
  const { store, gitDir } = await openWithRepository(t)
  await store.setDefaultBranch(1, 'not/yet')
  assert.equal(git(gitDir, ['symbolic-ref', 'HEAD']), 'refs/heads/not/yet')
  await assert.rejects(store.setDefaultBranch(1, '-x'))
})

test('maintain() packs the refs', async (t) => {
  const { store, gitDir, main } = await openWithRepository(t)
  git(gitDir, ['branch', 'side', main])
  await Promise.all([store.maintain(1), store.maintain(1), store.maintain(1)])
  assert.equal(existsSync(path.join(gitDir, 'refs/heads/side')), false)
  assert.deepEqual(await namesOf(store.listBranches(1)), ['main', 'side'])
})

test('maintain() and sweep() never fail for an absent repository', async (t) => {
  const { store } = await openTestStore(t)
  await store.maintain(77)
  assert.deepEqual(await store.sweep({ olderThanMs: 0 }), [])
})

test('files in a repository are never executed', async (t) => {
  const { store, gitDir, main } = await openWithRepository(t)
  const canary = path.join(makeTestFolder(t), 'canary')
  mkdirSync(path.join(gitDir, 'hooks'), { recursive: true })
  for (const hook of ['post-update', 'pre-receive', 'reference-transaction', 'pre-auto-gc']) {
    writeFileSync(path.join(gitDir, 'hooks', hook), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 })
  }
  git(gitDir, ['config', 'core.fsmonitor', `touch ${canary}`])
  git(gitDir, ['config', 'core.hooksPath', path.join(gitDir, 'hooks')])
  await store.setDefaultBranch(1, 'main')
  await store.maintain(1)
  await store.listFiles(1, main, { maxFiles: 10 })
  assert.equal(existsSync(canary), false)
})
