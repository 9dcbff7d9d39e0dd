import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'

import { openTestStore, git as runGit } from '../../../test/support/git/git-repository.ts'
import { listTreeFiles } from './read-tree-files.ts'

const LIMITS = { maxFiles: 2_500, maxBytes: 1024 ** 2 }

/** Lists a commit with these files and symbolic links: path → text or target. */
async function list(
  t: TestContext,
  {
    files,
    links,
    limits = LIMITS,
  }: {
    readonly files: Readonly<Record<string, string>>
    readonly links: Readonly<Record<string, string>>
    readonly limits?: typeof LIMITS
  },
) {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: null })
  const entries = [
    ...Object.entries(files).map(([path, text]) => ({ path, text, mode: '100644' })),
    ...Object.entries(links).map(([path, text]) => ({ path, text, mode: '120000' })),
  ]
  const changes = entries.map(({ path, text, mode }) => `M ${mode} inline ${path}\ndata ${text.length}\n${text}\n`)
  const input = `commit refs/heads/main\ncommitter Bob <bob@example.org> 1700000000 +0000\ndata 0\n${changes.join('')}`
  const gitDir = store.gitDir(1)
  runGit(gitDir, ['fast-import', '--quiet'], { input })
  const commitId = runGit(gitDir, ['rev-parse', 'main'])
  const tree = await listTreeFiles(store, 1, { commitId, ...limits })
  if (tree.kind === 'refused') return tree.message
  return Object.fromEntries([...tree.files].map(([path, file]) => [path, file.path]))
}

function numbered(count: number, path: (n: number) => string, text: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [path(n), text]))
}

test('listTreeFiles() resolves a link to a file, a folder, and another link', async (t) => {
  const files = { 'main.tex': 'a', 'shared/a.tex': 'b', 'shared/b/c.tex': 'c', 'shared.tex': 'd' }
  const links = { 'paper/main.tex': '../main.tex', 'paper/parts': '../shared', zero: 'paper/parts' }
  assert.deepEqual(await list(t, { files, links }), {
    'main.tex': 'main.tex',
    'shared.tex': 'shared.tex',
    'shared/a.tex': 'shared/a.tex',
    'shared/b/c.tex': 'shared/b/c.tex',
    'paper/main.tex': 'main.tex',
    'paper/parts/a.tex': 'shared/a.tex',
    'paper/parts/b/c.tex': 'shared/b/c.tex',
    'zero/a.tex': 'shared/a.tex',
    'zero/b/c.tex': 'shared/b/c.tex',
  })
})

test('listTreeFiles() omits hidden files, except for settings of latexmk and the list of submodules', async (t) => {
  const files = {
    'main.tex': 'a',
    '.gitignore': 'b',
    '.latexmkrc': 'c',
    'paper/.latexmkrc': 'd',
    '.vscode/.latexmkrc': 'e',
    '.gitmodules': 'f',
  }
  const listed = await list(t, { files, links: {} })
  assert.deepEqual(Object.keys(listed).toSorted(), ['.gitmodules', '.latexmkrc', 'main.tex', 'paper/.latexmkrc'])
})

test('listTreeFiles() resolves a link to a file in a linked folder', async (t) => {
  const links = { 'a.tex': 'parts/a.tex', parts: 'shared' }
  assert.deepEqual(await list(t, { files: { 'shared/a.tex': 'a' }, links }), {
    'shared/a.tex': 'shared/a.tex',
    'parts/a.tex': 'shared/a.tex',
    'a.tex': 'shared/a.tex',
  })
})

test('listTreeFiles() resolves the links to files in a linked folder', async (t) => {
  const links = { parts: 'shared', 'shared/a.tex': '../a.tex' }
  assert.deepEqual(await list(t, { files: { 'a.tex': 'a', 'shared/b.tex': 'b' }, links }), {
    'a.tex': 'a.tex',
    'shared/b.tex': 'shared/b.tex',
    'shared/a.tex': 'a.tex',
    'parts/a.tex': 'a.tex',
    'parts/b.tex': 'shared/b.tex',
  })
})

test('listTreeFiles() omits links that leave the tree, lead in a cycle or have the length of no path', async (t) => {
  const links = { out: '../a.tex', root: '/etc/passwd', one: 'two', two: 'one', long: `${'./'.repeat(600)}a.tex` }
  assert.deepEqual(await list(t, { files: { 'a.tex': 'a' }, links }), { 'a.tex': 'a.tex' })
})

test('listTreeFiles() omits links to the folder that contains them', async (t) => {
  const links = numbered(25, (n) => `d/l${n}`, '.')
  assert.deepEqual(await list(t, { files: { 'main.tex': 'a', 'd/x': 'x' }, links }), {
    'd/x': 'd/x',
    'main.tex': 'main.tex',
  })
})

test('listTreeFiles() refuses thousands of links to one folder', async (t) => {
  const files = numbered(1_200, (n) => `d/${n}.tex`, 'x')
  assert.equal(
    await list(t, { files, links: numbered(1_200, (n) => `l${n}`, 'd') }),
    'With its symbolic links, the repository has more than 2500 files, the build limit.',
  )
})

test('listTreeFiles() refuses links to more bytes than the limit', async (t) => {
  const links = numbered(20, (n) => `l${n}`, 'd')
  assert.equal(
    await list(t, { files: { 'd/a.tex': 'x'.repeat(100_000) }, links }),
    'With symbolic links, the files are more than 1 MB in total, the build limit.',
  )
})

test('listTreeFiles() omits names and paths that no file system stores', async (t) => {
  const stored = `${'é'.repeat(127)}.`
  const files = {
    'main.tex': 'a',
    [stored]: 'b',
    [`${stored}e`]: 'c',
    [`${'n'.repeat(256)}/a.tex`]: 'd',
    [`${`${'n'.repeat(190)}/`.repeat(20)}a.tex`]: 'e',
  }
  const links = { [`${'l'.repeat(200)}`]: 'main.tex', [`${'l'.repeat(256)}`]: 'main.tex' }
  assert.deepEqual(await list(t, { files, links }), {
    'main.tex': 'main.tex',
    [stored]: stored,
    ['l'.repeat(200)]: 'main.tex',
  })
})

test('listTreeFiles() says that a path may be too deep to build', async (t) => {
  assert.equal(
    await list(t, { files: { [`${'d/'.repeat(70)}a.tex`]: 'a' }, links: {} }),
    'The repository has more than 2500 files, or a path that is too long to build.',
  )
})
