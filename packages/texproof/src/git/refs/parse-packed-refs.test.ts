import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

import fc from 'fast-check'

import { git, initialCommit, openTestStore } from '../../../test/support/git/git-repository.ts'
import { compareUtf8 } from '../../domain/text/compare-utf8.ts'
import { isBranchName } from '../../domain/git/ref-names.ts'
import { isObjectId } from '../is-object-id.ts'
import { parsePackedRefs } from './parse-packed-refs.ts'
import { sliceRefs } from './ref-list.ts'

const a = 'a'.repeat(40)
const b = 'b'.repeat(40)

function read(file: Buffer) {
  const refs = parsePackedRefs(file)
  assert.ok(refs !== null)
  const { branches, tags } = refs
  return { branches: sliceRefs(branches, 0, branches.length), tags }
}

test('parsePackedRefs() reads branches, tags and their peeled targets', () => {
  const text = `# pack-refs with: peeled fully-peeled sorted \n${a} refs/heads/main\n${a} refs/remotes/x\n${a} refs/tags/v1\n^${b}\n${b} refs/tags/v2\n`
  assert.deepEqual(read(Buffer.from(text)), {
    branches: [{ name: 'main', commitId: a }],
    tags: [
      { name: 'v1', objectId: a, peeledId: b },
      { name: 'v2', objectId: b, peeledId: null },
    ],
  })
})

test('parsePackedRefs() ignores other refs with their peeled targets', () => {
  const text = `# pack-refs with: peeled \n${a} refs/heads/main\n^${b}\n${a} refs/notes/x\n^${b}\n${a} refs/texproof/y\n`
  assert.deepEqual(read(Buffer.from(text)), { branches: [{ name: 'main', commitId: a }], tags: [] })
})

for (const damaged of [
  '',
  '# pack-refs with: peeled',
  '\0'.repeat(99),
  '\n',
  ' \n',
  '^\n',
  `${a}\n`,
  `${a} \n`,
  `${a}  refs/heads/x\n`,
  `${a.slice(1)} refs/heads/x\n`,
  `${a} refs/heads/x\0y\n`,
  `${a} refs/heads/cut-of`,
  `${a} refs/tags/v1\n^${b}`,
  `${a} refs/heads/x\n<<<<<<<\n`,
])
  test(`parsePackedRefs() reads nothing from a file that is damaged like ${JSON.stringify(damaged)}`, () => {
    assert.equal(parsePackedRefs(Buffer.from(damaged)), null)
  })

test('parsePackedRefs() sorts a file that was edited by hand', () => {
  const text = `${a} refs/heads/ü\n${a} refs/heads/b\n${a} refs/heads/a\n`
  assert.deepEqual(
    read(Buffer.from(text)).branches.map(({ name }) => name),
    ['a', 'b', 'ü'],
  )
})

test('parsePackedRefs() ignores names that are not UTF-8 and keeps U+FFFD', () => {
  const file = Buffer.concat([
    Buffer.from(`${a} refs/heads/x`),
    Buffer.of(0xff),
    Buffer.from(`\n${a} refs/heads/\ufffd\n`),
  ])
  assert.deepEqual(read(file).branches, [{ name: '\ufffd', commitId: a }])
})

test('parsePackedRefs() returns sorted names, and never throws for a damaged file', () => {
  const name = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !/[\n\0]/.test(text))
  const line = fc.oneof(
    name.map((text) => `${a} refs/heads/${text}\n`),
    fc.constant(`^${b}\n`),
    fc.constant(`${a} refs/tags/t\n`),
  )
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), fc.uint8Array({ minLength: 1 }), (lines, noise) => {
      const file = Buffer.from(lines.join(''))
      const { branches } = read(file)
      const names = branches.map(({ name: branch }) => branch)
      assert.deepEqual(names, names.toSorted(compareUtf8))
      assert.ok(branches.every(({ commitId }) => isObjectId(commitId)))
      assert.doesNotThrow(() => parsePackedRefs(Buffer.concat([file, noise])))
    }),
  )
})

test('listBranches() reads any file that git has packed like git for-each-ref lists it', async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'a.tex': 'a' }) })
  const gitDir = store.gitDir(1)
  const commitId = git(gitDir, ['rev-parse', 'HEAD'])
  const unit = fc.constantFrom('a', 'B', '-', '.', '/', '_', '%', 'é', '\u{e000}', '\u{1f600}', '#', '<', "'", '0')
  const name = fc.string({ unit, minLength: 1, maxLength: 12 }).filter(isBranchName)
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { maxLength: 12 }), async (candidates) => {
      const names = candidates.filter((one) => !candidates.some((other) => other.startsWith(`${one}/`)))
      const lines = names.toSorted(compareUtf8).map((one) => `${commitId} refs/heads/${one}\n`)
      writeFileSync(
        path.join(gitDir, 'packed-refs'),
        `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`,
      )
      const listed = git(gitDir, ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads/'])
      assert.deepEqual(
        (await store.listBranches(1)).map((branch) => branch.name),
        listed === '' ? [] : listed.split('\n'),
      )
    }),
    { numRuns: 60 },
  )
})
