import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'

import { withoutBuilds } from '../../../test/support/hosts/test-config.ts'
import { openPaperHost, type Checkout, type PaperHost } from '../../../test/support/hosts/paper-host.ts'
import type { Caller, Repository } from '../../domain/types.ts'
import { addFiles, type AddedFiles } from './add-files.ts'
import { editFile, type FileEdit } from './edit-file.ts'
import { removeFile } from './remove-file.ts'

const base = 'One.\nTwo.\nThree.\nFour.\nFive.\n'

let host: PaperHost
let caller: Caller
let token: string
let repository: Repository
let checkout: Checkout
let openedId: string
let made = 0

before(async () => {
  host = await openPaperHost(withoutBuilds)
  const alice = await host.addUser('alice')
  caller = { user: { ...alice.user, name: 'Alice Example' }, scopes: ['repo:write'], tokenId: null }
  token = alice.token
})
after(() => host.close())

beforeEach(async () => {
  made += 1
  repository = await host.addRepository(caller.user, `notes-${made}`)
  checkout = await host.makeCheckout(host.gitUrl(`alice/notes-${made}.git`, token), {
    'notes.txt': base,
    'sections/one.txt': 'A.\n',
  })
  openedId = await push()
})

async function push(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const id = await checkout.commit(files, 'Push')
  await checkout.git('push', '--quiet', 'origin', 'main')
  return id
}

const target = () => ({ repository, caller, branch: 'main', newBranch: null, openedId, message: 'Edit notes.txt' })
const edit = (details: Partial<FileEdit>) =>
  editFile(host.deps, { ...target(), path: 'notes.txt', newPath: 'notes.txt', text: base, ...details })
const add = (files: Readonly<Record<string, string>>, details: Partial<AddedFiles> = {}) =>
  addFiles(host.deps, {
    ...target(),
    replaces: false,
    ...details,
    files: new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])),
  })
const reword = (text: string, from: string, to: string): string => text.replace(from, to).replaceAll('\n', '\r\n')

async function fileAt(path: string, ref = 'main'): Promise<string | null> {
  await checkout.git('fetch', '--quiet', 'origin')
  const shown = await checkout.git('show', `origin/${ref}:${path}`)
  return shown.exitCode === 0 ? shown.stdout : null
}

test('an edit becomes a commit by its author, and is recorded as a push', async () => {
  const outcome = await edit({ text: reword(base, 'Two', 'Deux') })
  assert.equal(outcome.kind, 'committed')
  assert.equal(await fileAt('notes.txt'), base.replace('Two', 'Deux'))
  assert.equal(
    (await checkout.git('log', '-1', '--format=%an <%ae>|%cn|%s', 'origin/main')).stdout.trim(),
    'Alice Example <noreply@127.0.0.1>|Alice Example|Edit notes.txt',
  )
  const [noted] = await host.deps.store.pushes.listByOthers([repository.id], { userId: '0', limit: 1 })
  assert.deepEqual(
    [noted?.login, noted?.ref, noted?.oldCommitId, noted?.newCommitId],
    ['alice', 'refs/heads/main', openedId, outcome.kind === 'committed' ? outcome.commitId : ''],
  )
})

test('an edit is merged with pushes made in the meantime, to this file and to others', async () => {
  await push({ 'notes.txt': base.replace('Five', 'Cinq'), 'other.txt': 'New.\n' })
  assert.equal((await edit({ text: reword(base, 'One', 'Un') })).kind, 'committed')
  assert.deepEqual(
    [await fileAt('notes.txt'), await fileAt('other.txt')],
    [base.replace('One', 'Un').replace('Five', 'Cinq'), 'New.\n'],
  )
})

test('an edit of a line that was changed in the meantime commits nothing and returns the conflicts', async () => {
  const headId = await push({ 'notes.txt': base.replace('Three', 'Trois') })
  assert.deepEqual(await edit({ text: reword(base, 'Three', 'Drei') }), {
    kind: 'conflict',
    headId,
    parts: [
      { kind: 'settled', text: 'One.\nTwo.\n' },
      { kind: 'place', mine: 'Drei.\n', theirs: 'Trois.\n' },
      { kind: 'settled', text: 'Four.\nFive.\n' },
    ],
  })
  assert.equal(await fileAt('notes.txt'), base.replace('Three', 'Trois'))
})

test('an edit that is submitted twice is one commit: to the branch, to a new one, and as a rename', async () => {
  const text = reword(base, 'Two', 'Deux')
  const renamed = { newPath: 'words.txt', text }
  const outcomes = [
    await edit({ text }),
    await edit({ text }),
    await edit({ text, newBranch: 'alice-1' }),
    await edit({ text, newBranch: 'alice-1' }),
    await edit(renamed),
    await edit(renamed),
  ]
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    ['committed', 'there', 'committed', 'there', 'committed', 'there'],
  )
  await checkout.git('fetch', '--quiet', 'origin')
  const counts = await Promise.all(
    ['main', 'alice-1'].map(async (ref) => (await checkout.git('rev-list', '--count', `origin/${ref}`)).stdout.trim()),
  )
  assert.deepEqual(
    [counts, await fileAt('notes.txt'), await fileAt('words.txt')],
    [['4', '3'], null, base.replace('Two', 'Deux')],
  )
})

test('many concurrent edits and pushes are all kept', async () => {
  const lines = Array.from({ length: 40 }, (_, at) => `Line ${at}.`)
  openedId = await push({ 'notes.txt': `${lines.join('\n')}\n` })
  const edits = [0, 8, 16, 24, 32].map((at) => edit({ text: `${lines.with(at, `Edited ${at}.`).join('\n')}\n` }))
  const pushing = (async () => {
    for (const at of [1, 2, 3]) {
      await checkout.commit({ [`pushed-${at}.txt`]: 'Pushed.\n' })
      for (let tries = 0; tries < 20; tries += 1) {
        await checkout.git('pull', '--quiet', '--rebase', 'origin', 'main')
        if ((await checkout.git('push', '--quiet', 'origin', 'main')).exitCode === 0) break
      }
    }
  })()
  const kinds = (await Promise.all(edits)).map(({ kind }) => kind)
  await pushing
  const text = (await fileAt('notes.txt')) ?? ''
  const pushed = await Promise.all([1, 2, 3].map((at) => fileAt(`pushed-${at}.txt`)))
  assert.deepEqual(
    [kinds, text.match(/Edited \d+/g), pushed],
    [
      Array.from({ length: 5 }, () => 'committed'),
      [0, 8, 16, 24, 32].map((at) => `Edited ${at}`),
      Array.from({ length: 3 }, () => 'Pushed.\n'),
    ],
  )
})

test('an edit that cannot be committed returns the reason, and changes nothing', async () => {
  const text = reword(base, 'Two', 'Deux')
  const refused = [
    await edit({}),
    await edit({ text: 'a\0b' }),
    await edit({ text: 'a'.repeat(1024 * 1024) }),
    await edit({ newPath: 'sections' }),
    await edit({ newPath: 'sections/one.txt' }),
    await edit({ newPath: 'sections/one.txt/more' }),
    await edit({ newPath: '../up' }),
    await edit({ text, newBranch: 'main' }),
    await edit({ text, newBranch: 'a..b' }),
    await edit({ text, branch: 'gone' }),
    await edit({ text, newBranch: 'alice-9', openedId: '1'.repeat(40) }),
    await edit({ text, message: 'a'.repeat(5_001) }),
  ].map((outcome) => (outcome.kind === 'refused' ? `${outcome.field}: ${outcome.problem}` : outcome.kind))
  assert.deepEqual(refused, [
    'unchanged',
    'text: The text contains a null character. Remove it.',
    'text: The text is larger than 1 MB. Split the file, or push it.',
    'path: A folder "sections" already exists. Choose another name.',
    'path: A file "sections/one.txt" already exists. Choose another name.',
    'path: "sections/one.txt" is a file, not a folder. Choose another folder.',
    'path: ".." is not a valid name: use a path relative to the repository root.',
    'branch: A branch "main" already exists.',
    'branch: Invalid branch name "a..b": git does not allow this name.',
    'branch: The branch "gone" no longer exists. Commit to a new branch instead.',
    'branch: The start commit of the new branch no longer exists. Commit to the existing branch.',
    'message: The commit message has more than 5,000 characters.',
  ])
  assert.equal(await fileAt('notes.txt'), base)
})

test('an edit of a file that was removed in the meantime is reported', async () => {
  await checkout.git('rm', '--quiet', 'notes.txt')
  const headId = await push()
  assert.deepEqual(await edit({ text: 'Mine.' }), { kind: 'gone', headId })
})

test('an edit is refused once its repository is archived, or if its author has only read access', async () => {
  const text = reword(base, 'Two', 'Deux')
  const bob = await host.addUser('bob')
  const byBob = await edit({ text, caller: { user: bob.user, scopes: ['repo:write'], tokenId: null } })
  await host.deps.store.repositories.change(repository.id, { isArchived: true })
  const problems = [byBob, await edit({ text })].map((outcome) => (outcome.kind === 'refused' ? outcome.problem : ''))
  assert.deepEqual(problems, [
    `You no longer have write access to alice/notes-${made}. Ask alice for it.`,
    `alice/notes-${made} has been archived and is read-only.`,
  ])
})

test('an edit is refused if its repository is archived while the commit waits for its turn', async () => {
  const { git, store } = host.deps
  const slow: typeof git = {
    ...git,
    async pushCommit(id, commit) {
      await store.repositories.change(id, { isArchived: true })
      return git.pushCommit(id, commit)
    },
  }
  const text = reword(base, 'Two', 'Deux')
  const outcome = await editFile(
    { ...host.deps, git: slow },
    { ...target(), path: 'notes.txt', newPath: 'notes.txt', text },
  )
  const problem = `alice/notes-${made} has been archived and is read-only.`
  assert.deepEqual([outcome, await fileAt('notes.txt')], [{ kind: 'refused', field: null, problem }, base])
})

test('new files never replace others; uploads replace only the version that was seen', async () => {
  const outcomes = [
    await add({ 'new.txt': 'New.\n', 'figs/a.bin': '\0\u0001' }),
    await add({ 'new.txt': 'New.\n' }),
    await add({ 'new.txt': 'Other.\n' }),
    await add({ 'notes.txt': 'Replaced.\n' }, { replaces: true }),
    await add({ 'notes.txt': 'Again.\n' }, { replaces: true }),
    await add({ sections: '' }, { replaces: true }),
    await add({ '.git/config': '' }),
  ].map((outcome) => (outcome.kind === 'refused' ? outcome.problem : outcome.kind))
  assert.deepEqual(outcomes, [
    'committed',
    'there',
    'A file "new.txt" already exists. Edit it, or choose another name.',
    'committed',
    '"notes.txt" has changed since you opened this page. Nothing was uploaded. Review the file, then upload yours again to replace it.',
    'A folder "sections" already exists. Choose another name.',
    '".git" is reserved by git. Choose another name.',
  ])
  assert.deepEqual([await fileAt('figs/a.bin'), await fileAt('notes.txt')], ['\0\u0001', 'Replaced.\n'])
})

test('a file becomes the first commit of an empty repository', async () => {
  const empty = await host.addRepository(caller.user, `empty-${made}`)
  const outcome = await add({ 'main.txt': 'First.\n' }, { repository: empty, openedId: null })
  assert.equal(outcome.kind, 'committed')
  assert.equal((await host.deps.git.listBranches(empty.id))[0]?.name, 'main')
})

test('a file is removed once, and only in the version that was seen', async () => {
  const remove = () => removeFile(host.deps, { ...target(), openedId, path: 'notes.txt' })
  const headId = await push({ 'notes.txt': 'Changed.\n' })
  const kinds = [(await remove()).kind]
  openedId = headId
  kinds.push((await remove()).kind, (await remove()).kind)
  assert.deepEqual([kinds, await fileAt('notes.txt')], [['changed', 'committed', 'there'], null])
})

test('a new branch needs a commit to start at, unless the repository is empty', async () => {
  const outcome = await add({ 'two.txt': 'Two.\n' }, { openedId: null, newBranch: 'orphan' })
  const problem =
    'The new branch has no commit to start at: "main" had none when you opened this page. Open the page again.'
  assert.deepEqual([outcome, await fileAt('two.txt', 'orphan')], [{ kind: 'refused', field: 'branch', problem }, null])
})
