/** Reverting a commit and restoring a version, without git and without script. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { after, before, beforeEach, test } from 'node:test'

import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { Checkout, PaperHost } from '../support/hosts/paper-host.ts'
import { withoutBuilds } from '../support/hosts/test-config.ts'
import type { RawResponse } from '../support/send-request.ts'
import { openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'

const password = 'nine trees by the river'
const LINES = Array.from({ length: 20 }, (_, at) => `Line ${at + 1}.\n`)
const TEXT = LINES.join('')
const changed = (line: number, words: string): string => LINES.with(line - 1, `${words}\n`).join('')

let host: PaperHost
let author: WebClient
let work: Checkout
let name: string
let first: string
let made = 0

before(async () => {
  host = await openPaperHost(withoutBuilds)
  for (const login of ['alice', 'bob']) await addTestUser(host.deps.store, { login, password })
  author = await signIn('alice')
})
after(() => host.close())

beforeEach(async () => {
  made += 1
  name = `notes-${made}`
  const [alice, bob] = await Promise.all(['alice', 'bob'].map((login) => host.deps.store.users.findByLogin(login)))
  assert.ok(alice && bob)
  const repository = await host.addRepository(alice, name, 'private')
  await host.deps.store.repositories.setCollaborator(repository.id, bob.id, 'pull')
  const url = host.gitUrl(`alice/${name}.git`, await host.addToken(alice, ['repo:write']))
  work = await host.makeCheckout(url, { 'main.tex': TEXT, 'parts/one.tex': 'One.\n' })
  first = await headOf('HEAD')
  await work.git('push', '--quiet', 'origin', 'main')
})

async function signIn(login: string): Promise<WebClient> {
  const client = openWebClient(host.origin)
  await client.submit('/login', '/login', { name: login, password })
  return client
}

const at = (rest: string): string => `/alice/${name}/${rest}`

async function headOf(ref: string): Promise<string> {
  return (await work.git('rev-parse', ref)).stdout.trim()
}

/** Commits files and pushes them; null removes one. */
async function push(files: Readonly<Record<string, string>>, message = 'Change'): Promise<string> {
  const commitId = await work.commit(files, message)
  await work.git('push', '--quiet', 'origin', 'main')
  return commitId
}

/** The hidden fields and the message of a page. */
function fieldsOf({ text }: RawResponse): Record<string, string> {
  const field = (wanted: string): string => new RegExp(`name="${wanted}"\\s+value="([^"]*)"`).exec(text)?.[1] ?? ''
  const wanted = ['form_token', 'branch', 'opened', 'message']
  return Object.fromEntries(wanted.map((each) => [each, field(each).replaceAll('&quot;', '"')]))
}

/** Changed files listed on a page. */
function filesOf({ text }: RawResponse): readonly string[] {
  const rows = [...text.matchAll(/<code>([^<]+)<\/code>\s*<span class="quiet">([^<]+)<\/span>/g)]
  return rows.map(([, path, what]) => `${path} ${what}`)
}

/** Loads the page and sends its form. */
async function submit(page: string, fields: Readonly<Record<string, string>> = {}): Promise<RawResponse> {
  const sent = { ...fieldsOf(await author.get(at(page))), to: 'branch', ...fields }
  return author.post(at(page.split('?', 1)[0] ?? page), sent)
}

/** Sets the mode of the next commits, whatever the mode in the working copy. */
async function makeExecutable(path: string): Promise<void> {
  await work.git('config', 'core.fileMode', 'false')
  await work.git('update-index', '--chmod=+x', path)
}

/** `100644` or `100755`, on the host. */
async function modeOf(path: string): Promise<string> {
  await work.git('fetch', '--quiet', 'origin')
  return (await work.git('ls-tree', 'origin/main', path)).stdout.slice(0, 6)
}

/** Path → content, and the message of the last commit. */
async function state(branch = 'main'): Promise<readonly [files: Record<string, string>, message: string]> {
  await work.git('fetch', '--quiet', 'origin')
  const listed = await work.git('ls-tree', '-r', '--name-only', `origin/${branch}`)
  const files: Record<string, string> = {}
  for (const path of listed.stdout.split('\n').filter(Boolean))
    files[path] = (await work.git('show', `origin/${branch}:${path}`)).stdout
  return [files, (await work.git('log', '-1', '--format=%B', `origin/${branch}`)).stdout.trim()]
}

test('a reverted commit is undone, and later changes to other lines and files are kept', async () => {
  const bad = await push({ 'main.tex': changed(3, 'A mistake.'), 'mistake.tex': 'Wrong.\n' }, 'Make a mistake')
  await push({ 'main.tex': LINES.with(2, 'A mistake.\n').with(16, 'Better.\n').join(''), 'later.tex': 'Later.\n' })
  const answer = await submit(`revert/${bad}`)
  const head = (await work.git('ls-remote', 'origin', 'main')).stdout.slice(0, 40)
  assert.deepEqual([answer.status, answer.headers.location], [303, at(`commit/${head}`)])
  assert.match((await author.get(at(`commit/${head}`))).text, /Commit reverted\. This is the new commit\./)
  assert.deepEqual(await state(), [
    { 'main.tex': changed(17, 'Better.'), 'parts/one.tex': 'One.\n', 'later.tex': 'Later.\n' },
    `Revert "Make a mistake"\n\nThis reverts commit ${bad}.`,
  ])
})

test('the page of a revert names the files that change', async () => {
  await work.git('rm', '--quiet', 'parts/one.tex')
  const bad = await push({ 'main.tex': changed(3, 'A mistake.'), 'mistake.tex': 'Wrong.\n' })
  assert.deepEqual(filesOf(await author.get(at(`revert/${bad}`))), [
    'main.tex changes',
    'mistake.tex is removed',
    'parts/one.tex is restored',
  ])
})

test('a deleted file comes back with its mode, and links stay links', async () => {
  await work.git('update-index', '--chmod=+x', 'parts/one.tex')
  const blob = (await work.git('hash-object', '-w', 'main.tex')).stdout.trim()
  await work.git('update-index', '--add', '--cacheinfo', `120000,${blob},link.tex`)
  await work.git('commit', '--quiet', '--message', 'Change modes')
  await work.git('rm', '--quiet', '--cached', 'parts/one.tex', 'link.tex')
  await work.git('commit', '--quiet', '--message', 'Delete both')
  const bad = await headOf('HEAD')
  await work.git('push', '--quiet', 'origin', 'main')
  await submit(`revert/${bad}`)
  await work.git('fetch', '--quiet', 'origin')
  const { stdout } = await work.git('ls-tree', '-r', 'origin/main')
  assert.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.replace(/ blob [0-9a-f]+\t/, ' ')),
    ['120000 link.tex', '100644 main.tex', '100755 parts/one.tex'],
  )
})

test('a commit whose lines were changed again is not reverted, and the page names the file', async () => {
  const bad = await push({ 'main.tex': changed(3, 'A mistake.') })
  await push({ 'main.tex': changed(3, 'Another text.') })
  const before = await state()
  const answer = await submit(`revert/${bad}`, { message: 'Undo it' })
  assert.equal(answer.status, 422)
  assert.match(answer.text, /Later commits on main changed the same lines of main\.tex\. Nothing was committed\./)
  assert.match(answer.text, /value="Undo it"/)
  assert.deepEqual(await state(), before)
})

test('a deleted file does not replace a folder that has its name now, nor a file the folder', async () => {
  for (const [deleted, taken] of [
    ['plan', 'plan/new.tex'],
    ['drafts/old.tex', 'drafts'],
  ] as const) {
    await push({ [deleted]: 'Old.\n' })
    await work.git('rm', '--quiet', deleted)
    const bad = await push({ 'other.tex': deleted })
    await push({ [taken]: 'New.\n' })
    const before = await state()
    const answer = await submit(`revert/${bad}`)
    assert.match(answer.text, new RegExp(`changed the same lines of ${deleted}\\.`))
    assert.deepEqual([answer.status, await state()], [422, before])
  }
})

test('a merge is reverted against its first parent', async () => {
  await work.git('switch', '--quiet', '--create', 'side')
  await work.commit({ 'side.tex': 'Side.\n' })
  await work.git('switch', '--quiet', 'main')
  await work.commit({ 'own.tex': 'Own.\n' })
  await work.git('merge', '--quiet', '--no-edit', 'side')
  await work.git('push', '--quiet', 'origin', 'main')
  await submit(`revert/${await headOf('HEAD')}`)
  const [files] = await state()
  assert.deepEqual(Object.keys(files), ['main.tex', 'own.tex', 'parts/one.tex'])
})

test('a revert sent twice creates one commit', async () => {
  const bad = await push({ 'main.tex': changed(3, 'A mistake.') })
  const answers = [await submit(`revert/${bad}`), await submit(`revert/${bad}`)]
  await work.git('fetch', '--quiet', 'origin')
  assert.deepEqual(
    [answers.map(({ status }) => status), (await work.git('rev-list', '--count', 'origin/main')).stdout.trim()],
    [[303, 303], '3'],
  )
  assert.match(
    (await author.get(answers[1]?.headers.location ?? '')).text,
    /the branch no longer contains these changes/,
  )
})

test('a revert sent twice creates one commit, even if the file has later changes to other lines', async () => {
  const bad = await push({ 'main.tex': changed(3, 'A mistake.') })
  await push({ 'main.tex': LINES.with(2, 'A mistake.\n').with(16, 'Better.\n').join('') })
  const answers = [await submit(`revert/${bad}`), await submit(`revert/${bad}`)]
  assert.match((await author.get(answers[1]?.headers.location ?? '')).text, /Nothing to revert/)
  assert.deepEqual(
    [(await state())[0]['main.tex'], (await work.git('rev-list', '--count', 'origin/main')).stdout.trim()],
    [changed(17, 'Better.'), '4'],
  )
})

test('a reverted change of the mode keeps later changes of the text', async () => {
  await makeExecutable('main.tex')
  await work.git('commit', '--quiet', '--message', 'Make it executable')
  const bad = await headOf('HEAD')
  await push({ 'main.tex': changed(17, 'Better.') })
  await submit(`revert/${bad}`)
  assert.deepEqual([await modeOf('main.tex'), (await state())[0]['main.tex']], ['100644', changed(17, 'Better.')])
})

test('a reverted change of mode and text undoes both', async () => {
  await makeExecutable('main.tex')
  const bad = await push({ 'main.tex': changed(3, 'A mistake.') })
  await push({ 'main.tex': LINES.with(2, 'A mistake.\n').with(16, 'Better.\n').join('') })
  const before = await modeOf('main.tex')
  await submit(`revert/${bad}`)
  assert.deepEqual(
    [before, await modeOf('main.tex'), (await state())[0]['main.tex']],
    ['100755', '100644', changed(17, 'Better.')],
  )
})

test('a change of the line endings is not reverted if the file has later changes', async () => {
  const bad = await push({ 'main.tex': TEXT.replaceAll('\n', '\r\n') })
  await push({ 'main.tex': changed(17, 'Better.').replaceAll('\n', '\r\n') })
  const before = await state()
  const answer = await submit(`revert/${bad}`)
  assert.match(answer.text, /Later commits on main changed the same lines of main\.tex\./)
  assert.deepEqual([answer.status, await state()], [422, before])
})

test('a revert and a restore whose branch was deleted in the meantime can start a new branch', async () => {
  const bad = await push({ 'main.tex': changed(3, 'A mistake.') })
  for (const page of [`revert/${bad}`, `restore/${first}/main.tex`]) {
    await work.git('push', '--quiet', 'origin', 'main:refs/heads/side')
    const fields = { ...fieldsOf(await author.get(at(`${page}?branch=side`))), to: 'branch' }
    await work.git('push', '--quiet', 'origin', ':side')
    const lost = await author.post(at(page), fields)
    assert.match(lost.text, /The branch &quot;side&quot; no longer exists/)
    const newBranch = page.split('/')[0] ?? ''
    const saved = await author.post(at(page), { ...fieldsOf(lost), to: 'new', new_branch: newBranch })
    assert.deepEqual([saved.status, (await state(newBranch))[0]['main.tex']], [303, TEXT])
  }
})

test('the first commit cannot be reverted, and its page does not offer it', async () => {
  assert.deepEqual((await author.get(at(`revert/${first}`))).status, 404)
  const { text } = await author.get(at(`commit/${first}`))
  assert.deepEqual([text.includes(`/revert/`), text.includes(`/restore/${first}`)], [false, true])
})

test('a revert can be committed to a new branch', async () => {
  const bad = await push({ 'main.tex': changed(3, 'A mistake.') })
  await submit(`revert/${bad}`, { to: 'new', new_branch: 'undone' })
  assert.deepEqual(
    [(await state('undone'))[0]['main.tex'], (await state())[0]['main.tex']],
    [TEXT, changed(3, 'A mistake.')],
  )
})

test('a commit of another branch is reverted there', async () => {
  await work.git('switch', '--quiet', '--create', 'revision')
  const bad = await work.commit({ 'main.tex': changed(3, 'A mistake.') })
  await work.git('push', '--quiet', 'origin', 'revision')
  await submit(`revert/${bad}`)
  assert.equal((await state('revision'))[0]['main.tex'], TEXT)
})

test('files whose names are not UTF-8 are neither restored nor reverted', async () => {
  const name = Buffer.concat([Buffer.from(`${work.dir}/`), Buffer.from('caf\u00E9.tex', 'latin1')])
  await writeFile(name, 'Old.\n')
  const bad = await push({ 'main.tex': changed(3, 'A mistake.') })
  const before = await headOf('HEAD')
  for (const page of [`revert/${bad}`, `restore/${first}`]) {
    const answer = await submit(page)
    assert.match(answer.text, /The name of &quot;caf\uFFFD\.tex&quot; is not valid UTF-8/)
    assert.equal(answer.status, 422)
  }
  await work.git('fetch', '--quiet', 'origin')
  assert.equal(await headOf('origin/main'), before)
})

test('a restored file has its earlier content, and everything else stays', async () => {
  await push({ 'main.tex': changed(3, 'A mistake.'), 'later.tex': 'Later.\n' })
  const { text } = await author.get(at(`blob/${first}/main.tex`))
  assert.match(text, new RegExp(`href="${at(`restore/${first}/main.tex`)}"`))
  const answer = await submit(`restore/${first}/main.tex`)
  assert.equal(answer.headers.location, at('blob/main/main.tex'))
  assert.deepEqual(await state(), [
    { 'main.tex': TEXT, 'parts/one.tex': 'One.\n', 'later.tex': 'Later.\n' },
    `Restore main.tex of ${first.slice(0, 7)}`,
  ])
})

test('a restored project is as it was, without the files that came later', async () => {
  await work.git('rm', '--quiet', 'parts/one.tex')
  await push({ 'main.tex': 'Replaced.\n', parts: 'A file now.\n' })
  const answer = await submit(`restore/${first}`)
  assert.equal(answer.headers.location, at('tree/main'))
  assert.match((await author.get(at('tree/main'))).text, /Version restored\./)
  assert.deepEqual((await state())[0], { 'main.tex': TEXT, 'parts/one.tex': 'One.\n' })
})

test('a restore does not remove what was pushed after its page, and lists it', async () => {
  await push({ 'chapter4.tex': 'Four.\n' })
  const page = await author.get(at(`restore/${first}`))
  await push({ 'chapter5.tex': 'Five.\n' })
  const before = await state()
  const answer = await author.post(at(`restore/${first}`), { ...fieldsOf(page), to: 'branch' })
  assert.deepEqual([answer.status, filesOf(answer)], [422, ['chapter4.tex is removed', 'chapter5.tex is removed']])
  assert.match(answer.text, /main has changed since you opened this page\. Nothing was restored\./)
  assert.deepEqual(await state(), before)
  const again = await author.post(at(`restore/${first}`), { ...fieldsOf(answer), to: 'branch' })
  assert.deepEqual([again.status, Object.keys((await state())[0])], [303, ['main.tex', 'parts/one.tex']])
})

test('a restored file is not held up by pushes to other files', async () => {
  await push({ 'main.tex': changed(3, 'A mistake.') })
  const page = await author.get(at(`restore/${first}/main.tex`))
  await push({ 'chapter5.tex': 'Five.\n' })
  const answer = await author.post(at(`restore/${first}/main.tex`), { ...fieldsOf(page), to: 'branch' })
  assert.deepEqual(
    [answer.status, (await state())[0]],
    [303, { 'main.tex': TEXT, 'chapter5.tex': 'Five.\n', 'parts/one.tex': 'One.\n' }],
  )
})

test('a deleted file can be restored, but not into a file that has the name of its folder', async () => {
  await work.git('rm', '--quiet', 'parts/one.tex')
  await push({ 'other.tex': 'Other.\n' })
  await submit(`restore/${first}/parts/one.tex`)
  assert.equal((await state())[0]['parts/one.tex'], 'One.\n')
  await work.git('pull', '--quiet', 'origin', 'main')
  await work.git('rm', '--quiet', '-r', 'parts')
  await push({ parts: 'A file now.\n' })
  const answer = await submit(`restore/${first}/parts/one.tex`)
  assert.match(answer.text, /&quot;parts&quot; is a file, not a folder/)
  assert.deepEqual([answer.status, (await state())[0]['parts']], [422, 'A file now.\n'])
})

test('a version that the branch has already creates no commit', async () => {
  const answer = await submit(`restore/${first}/main.tex`)
  assert.match((await author.get(answer.headers.location ?? '')).text, /the branch already matches this version/)
  await work.git('fetch', '--quiet', 'origin')
  assert.equal((await work.git('rev-list', '--count', 'origin/main')).stdout.trim(), '1')
})

test('a version that is there already creates no new branch, and leads to the branch of the page', async () => {
  const answer = await submit(`restore/${first}/main.tex`, { to: 'new', new_branch: 'none' })
  const { status, text } = await author.get(answer.headers.location ?? '')
  assert.deepEqual(
    [answer.headers.location, status, /Nothing to restore/.test(text)],
    [at('blob/main/main.tex'), 200, true],
  )
})

test('the editor links to the history of its file, which links to the file at each commit', async () => {
  const second = await push({ 'main.tex': changed(3, 'Another text.') })
  const editor = await author.get(at('edit/main/main.tex'))
  const [, history = ''] = /href="([^"]+)">History of this file/.exec(editor.text) ?? []
  const { text } = await author.get(history)
  const links = [...text.matchAll(/href="([^"]+)" aria-label="File at/g)].map(([, href]) => href)
  assert.deepEqual(links, [at(`blob/${second}/main.tex`), at(`blob/${first}/main.tex`)])
})

test('readers, anonymous users and unknown versions get 404, and no links', async () => {
  const bad = await push({ 'main.tex': changed(3, 'A mistake.') })
  const [reader, anonymous] = [await signIn('bob'), openWebClient(host.origin)]
  for (const page of [`revert/${bad}`, `restore/${first}/main.tex`]) {
    const answers = await Promise.all([reader, anonymous].map((client) => client.get(at(page))))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404],
    )
  }
  assert.doesNotMatch((await reader.get(at(`commit/${bad}`))).text, /\/revert\/|\/restore\//)
  const missing = [`revert/${'0'.repeat(40)}`, `restore/${first}/none.tex`, `revert/${bad}?branch=none`]
  for (const page of missing) assert.equal((await author.get(at(page))).status, 404)
})
