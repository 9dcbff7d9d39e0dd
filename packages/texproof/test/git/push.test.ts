import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import { letPushesWait } from '../support/hosts/let-pushes-wait.ts'
import { openPaperHost, type PaperHost } from '../support/hosts/paper-host.ts'
import { runProgram, type ProgramOutcome } from '../support/programs/run-program.ts'

const ARTICLE = '\\documentclass{article}\n\\begin{document}\n\\input{sections/intro}\n\\end{document}\n'
const PAPER = { 'main.tex': ARTICLE, 'sections/intro.tex': 'The tide rises.\n' }

letPushesWait()

let host: PaperHost
let alice: Awaited<ReturnType<PaperHost['addUser']>>
let bob: Awaited<ReturnType<PaperHost['addUser']>>

before(async () => {
  host = await openPaperHost()
  alice = await host.addUser('alice')
  bob = await host.addUser('bob')
})

after(() => host.close())

/** The lines after `remote:`, with times and addresses replaced by placeholders. */
function remoteLines({ stderr }: ProgramOutcome): string[] {
  return stderr
    .split(/[\n\r]/)
    .filter((line) => line.startsWith('remote: '))
    .map((line) =>
      line
        .slice('remote: '.length)
        .trimEnd()
        .replaceAll(/\d+\.\d s/g, 'N s')
        .replaceAll(host.origin, 'BASE'),
    )
}

function clone(url: string): Promise<ProgramOutcome> {
  return runProgram('git', ['ls-remote', url], {
    env: { GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', HOME: '/nonexistent' },
  })
}

test('a push builds the document and reports it in remote lines', async () => {
  const repository = await host.addRepository(alice.user, 'tides')
  const checkout = await host.makeCheckout(host.gitUrl('alice/tides.git', alice.token), PAPER)
  const pushed = await checkout.git('push', '--quiet', 'origin', 'main')
  assert.deepEqual(
    [pushed.exitCode, remoteLines(pushed)],
    [
      0,
      [
        'Found main.tex (\\documentclass{article}) → pdfLaTeX',
        '  named main.tex, default engine',
        'Building main … done in N s — 1 page',
        '  BASE/alice/tides/pdf/main',
      ],
    ],
  )
  assert.equal((await host.deps.store.repositories.findById(repository.id))?.defaultBranch, 'main')
})

test('a push with options is accepted, and its options are ignored', async () => {
  await host.addRepository(alice.user, 'options')
  const checkout = await host.makeCheckout(host.gitUrl('alice/options.git', alice.token), { 'a.txt': 'a\n' })
  const { exitCode, stderr } = await checkout.git('push', '-o', 'ci.skip', '-o', 'a=b c', 'origin', 'main')
  assert.deepEqual([exitCode, remoteLines({ exitCode, stderr, stdout: '' })], [0, []], stderr)
})

test('a push with an error in an included file keeps the last good PDF and says that it is out of date', async () => {
  await host.addRepository(alice.user, 'broken')
  const checkout = await host.makeCheckout(host.gitUrl('alice/broken.git', alice.token), PAPER)
  await checkout.git('push', 'origin', 'main')
  const good = await fetch(`${host.origin}/alice/broken/pdf/main.pdf`)
  const goodPdf = Buffer.from(await good.arrayBuffer())
  await checkout.commit({ 'sections/intro.tex': 'The tide rises.\n\nWe write \\foo here.\n' })

  const pushed = await checkout.git('push', '--quiet', 'origin', 'main')

  assert.deepEqual(
    [pushed.exitCode, remoteLines(pushed).slice(2)],
    [
      0,
      [
        'Building main … built with errors in N s (push accepted; last good PDF kept)',
        '  sections/intro.tex:3:10  \\foo is not defined. Define it with \\newcommand, or load the package that provides it.',
        '  BASE/alice/broken/builds/2',
      ],
    ],
  )
  const older = await fetch(`${host.origin}/alice/broken/pdf/main.pdf`)
  assert.deepEqual(
    [
      older.status,
      older.headers.get('content-disposition'),
      older.headers.get('x-texproof-state'),
      good.headers.get('x-texproof-state'),
    ],
    [200, 'inline; filename="broken-main.pdf"', 'older', 'current'],
  )
  assert.deepEqual(Buffer.from(await older.arrayBuffer()), goodPdf)
  const page = await (await fetch(`${host.origin}/alice/broken/pdf/main`)).text()
  assert.match(page, /Showing the last good PDF/)
  const source = await (await fetch(`${host.origin}/alice/broken/blob/main/sections/intro.tex`)).text()
  assert.match(source, /id="L3"[^]*Undefined control sequence: \\foo/)
})

test('a push that moves a tag to a broken version does not say that its last good PDF is kept', async () => {
  await host.addRepository(alice.user, 'retagged')
  const checkout = await host.makeCheckout(host.gitUrl('alice/retagged.git', alice.token), PAPER)
  await checkout.git('push', 'origin', 'main:refs/tags/v1')
  await checkout.commit({ 'main.tex': ARTICLE.replace('article', 'missing-class') })

  const pushed = await checkout.git('push', '--quiet', '--force', 'origin', 'main:refs/tags/v1')

  const pdf = await fetch(`${host.origin}/alice/retagged/pdf/v1.pdf`)
  assert.deepEqual([remoteLines(pushed)[2], pdf.status], ['Building v1 … failed in N s (push accepted)', 404])
})

test('a branch whose newest build made a PDF with errors has one status on all pages and badges', async () => {
  await host.addRepository(alice.user, 'words')
  const checkout = await host.makeCheckout(host.gitUrl('alice/words.git', alice.token), PAPER)
  await checkout.git('push', 'origin', 'main')
  await checkout.commit({ 'sections/intro.tex': 'We write \\foo here.\n' })
  await checkout.git('push', 'origin', 'main')
  const read = async (path: string): Promise<string> =>
    (await (await fetch(`${host.origin}/alice/words${path}`)).text())
      .replaceAll(/<script[^]*?<\/script>/g, '')
      .replaceAll(/<[^>]*>/g, ' ')

  const paths = ['', '/commits/main', '/branches', '/builds', '/builds/2', '/pdf/main', '/badge/main.svg']
  const statuses = await Promise.all(
    paths.map(async (path) => [path, new Set((await read(path)).match(/built with errors|\bfailed\b/g))]),
  )
  const { status } = JSON.parse(await read('/badge/main.json')) as { readonly status: string }

  assert.deepEqual(
    [...statuses, ['/badge/main.json', status]],
    [...paths.map((path) => [path, new Set(['built with errors'])]), ['/badge/main.json', 'built with errors']],
  )
})

test('a push of files that were built before reuses their PDF', async () => {
  await host.addRepository(alice.user, 'same')
  const checkout = await host.makeCheckout(host.gitUrl('alice/same.git', alice.token), PAPER)
  await checkout.git('push', 'origin', 'main')
  const pushed = await checkout.git('push', '--quiet', 'origin', 'main:refs/heads/feature/referee-2')
  assert.deepEqual(remoteLines(pushed).slice(2), [
    'Building feature/referee-2 … done (same files as before) — 1 page',
    '  BASE/alice/same/pdf/feature/referee-2',
  ])
  const pdf = await fetch(`${host.origin}/alice/same/pdf/feature/referee-2.pdf`)
  assert.deepEqual(
    [pdf.status, pdf.headers.get('content-disposition')],
    [200, 'inline; filename="same-feature-referee-2.pdf"'],
  )
})

test('a push of several documents lists them and prints one address', async () => {
  await host.addRepository(alice.user, 'sheets')
  const sheet = '\\documentclass{article}\\begin{document}x\\end{document}'
  const checkout = await host.makeCheckout(host.gitUrl('alice/sheets.git', alice.token), {
    'a.tex': sheet,
    'b.tex': sheet,
  })
  const pushed = await checkout.git('push', '--quiet', 'origin', 'main')
  assert.deepEqual(remoteLines(pushed).slice(4), [
    'Building main: a.tex … done in N s — 1 page',
    'Building main: b.tex … done in N s — 1 page',
    '2 of 2 documents up to date',
    '  BASE/alice/sheets/pdf/main',
  ])
  const second = await fetch(`${host.origin}/alice/sheets/pdf/main.pdf?doc=b`)
  assert.deepEqual(
    [second.status, second.headers.get('content-disposition')],
    [200, 'inline; filename="sheets-b-main.pdf"'],
  )
})

test('a push of branches with the same files reports them together', async () => {
  await host.addRepository(alice.user, 'fork')
  const checkout = await host.makeCheckout(host.gitUrl('alice/fork.git', alice.token), PAPER)
  for (const name of ['draft', 'topic-1', 'topic-2', 'topic-3']) await checkout.git('branch', name)
  const pushed = await checkout.git('push', '--quiet', '--all', 'origin')
  assert.deepEqual(remoteLines(pushed), [
    'Found main.tex (\\documentclass{article}) → pdfLaTeX',
    '  named main.tex, default engine',
    'Building main, draft and 3 more … done in N s — 1 page',
    '  BASE/alice/fork/pdf/main',
  ])
})

test('a push of a branch with the name of a tag says that the pages show the branch', async () => {
  await host.addRepository(alice.user, 'shared-name')
  const checkout = await host.makeCheckout(host.gitUrl('alice/shared-name.git', alice.token), { 'notes.txt': 'x' })
  await checkout.git('push', 'origin', 'main', 'main:refs/tags/v1')
  const created = await checkout.git('push', '--quiet', 'origin', 'main:refs/heads/v1')
  await checkout.commit({ 'notes.txt': 'y' })
  const moved = await checkout.git('push', '--quiet', 'origin', 'main:refs/heads/v1')
  assert.deepEqual(
    [remoteLines(created), remoteLines(moved)],
    [
      [
        'v1: a branch and a tag have this name. Pages and PDFs at it show the branch.',
        '  Delete or rename one of them.',
      ],
      [],
    ],
  )
})

test('a push of many branches is reported on one screen', async () => {
  await host.addRepository(alice.user, 'many')
  const checkout = await host.makeCheckout(host.gitUrl('alice/many.git', alice.token), PAPER)
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) {
    await checkout.git('checkout', '--quiet', '-b', `topic-${number}`)
    await checkout.commit({
      'sections/intro.tex': number === 8 || number === 9 ? `${number}: \\foo\n` : `Topic ${number}.\n`,
    })
  }
  await checkout.git('branch', 'twin', 'topic-1')
  await checkout.git('checkout', '--quiet', '-b', 'bare')
  await checkout.git('rm', '--quiet', '-r', '.')
  await checkout.commit({ '.texproof.toml': '[[document]]\nroot = "gone.tex"\n' })
  const pushed = await checkout.git('push', '--quiet', '--all', 'origin')
  assert.deepEqual(remoteLines(pushed), [
    'bare:',
    '.texproof.toml  root "gone.tex" is not in the repository',
    '  Nothing was built. Fix the file and push again.',
    'Found main.tex (\\documentclass{article}) → pdfLaTeX',
    '  named main.tex, default engine',
    'Building main … done in N s — 1 page',
    'Building topic-1 and twin … done in N s — 1 page',
    ...['10', '11', '2', '3', '4', '5', '6', '7'].map((name) => `Building topic-${name} … done in N s — 1 page`),
    'Building topic-8 … built with errors in N s (push accepted)',
    '  sections/intro.tex:1:4  \\foo is not defined. Define it with \\newcommand, or load the package that provides it.',
    '  BASE/alice/many/builds/11',
    'and 1 more result',
    '11 of 13 branches up to date',
    '  BASE/alice/many/branches',
  ])
})

test('a push without LaTeX prints no report', async () => {
  const repository = await host.addRepository(alice.user, 'code')
  const checkout = await host.makeCheckout(host.gitUrl('alice/code', alice.token), { 'a.ts': 'export {}\n' })
  const pushed = await checkout.git('push', '--quiet', 'origin', 'main')
  assert.deepEqual([pushed.exitCode, remoteLines(pushed)], [0, []])
  assert.equal(await host.deps.store.builds.count(repository.id), 0)
})

test('a push that leaves a branch without its document says why nothing was built', async () => {
  await host.addRepository(alice.user, 'lost')
  const checkout = await host.makeCheckout(host.gitUrl('alice/lost.git', alice.token), { 'main.tex': ARTICLE })
  await checkout.git('push', 'origin', 'main')
  await checkout.commit({ 'main.tex': `% ${ARTICLE}` })
  const pushed = await checkout.git('push', '--quiet', 'origin', 'main', 'main:refs/heads/notes')
  assert.deepEqual(remoteLines(pushed), [
    'No document found: a document needs \\documentclass and \\begin{document}',
    '  Nothing was built.',
  ])
})

test('a push with an error in .texproof.toml is accepted and reported', async () => {
  await host.addRepository(alice.user, 'settings')
  const files = { ...PAPER, '.texproof.toml': '[[document]]\nroot = "gone.tex"\n' }
  const checkout = await host.makeCheckout(host.gitUrl('alice/settings.git', alice.token), files)
  const pushed = await checkout.git('push', '--quiet', 'origin', 'main')
  assert.deepEqual(
    [pushed.exitCode, remoteLines(pushed)],
    [
      0,
      ['.texproof.toml  root "gone.tex" is not in the repository', '  Nothing was built. Fix the file and push again.'],
    ],
  )
})

test('the first branch pushed becomes the default branch', async () => {
  const repository = await host.addRepository(alice.user, 'trunk')
  const checkout = await host.makeCheckout(host.gitUrl('alice/trunk.git', alice.token), { 'a.txt': 'a' })
  await checkout.git('push', 'origin', 'main:refs/heads/trunk')
  assert.equal((await host.deps.store.repositories.findById(repository.id))?.defaultBranch, 'trunk')
})

test('a clone of a public repository needs no token, with and without .git', async () => {
  const branches = [await clone(host.gitUrl('alice/tides.git')), await clone(host.gitUrl('alice/tides'))]
  assert.deepEqual(
    branches.map(({ exitCode, stdout }) => [exitCode, stdout.includes('refs/heads/main')]),
    [
      [0, true],
      [0, true],
    ],
  )
})

test('a clone with protocol versions 0, 1 and 2 has the same files', async () => {
  const checkout = await host.makeCheckout(host.gitUrl('alice/tides.git'), { 'x.txt': 'x' })
  const outcomes = []
  for (const version of ['0', '1', '2']) {
    outcomes.push(
      (
        await checkout.git(
          '-c',
          `protocol.version=${version}`,
          'clone',
          '--quiet',
          host.gitUrl('alice/tides.git'),
          `v${version}`,
        )
      ).exitCode,
    )
  }
  const difference = await checkout.git('diff', '--no-index', 'v0/main.tex', 'v2/main.tex')
  assert.deepEqual([outcomes, difference.exitCode], [[0, 0, 0], 0])
})

test('only its owner can clone a private repository', async () => {
  await host.addRepository(alice.user, 'draft', 'private')
  const asOwner = await clone(host.gitUrl('alice/draft.git', alice.token))
  const asOther = await clone(host.gitUrl('alice/draft.git', bob.token))
  const missing = await clone(host.gitUrl('alice/nothing.git', bob.token))
  const anonymous = await clone(host.gitUrl('alice/draft.git'))
  const hide = (text: string): string => text.replaceAll(/draft|nothing/g, 'NAME').replaceAll(bob.token, 'TOKEN')
  assert.deepEqual([asOwner.exitCode, asOther.exitCode, anonymous.exitCode], [0, 128, 128])
  assert.equal(hide(asOther.stderr), hide(missing.stderr))
  assert.match(anonymous.stderr, /could not read Username|terminal prompts disabled/)
})

interface Refusal {
  readonly name: string
  readonly prepare: () => Promise<{ url: string }>
  readonly expected: RegExp
}

const refusals: readonly Refusal[] = [
  {
    name: 'with an unknown token',
    prepare: async () => ({ url: host.gitUrl('alice/tides.git', 'pst_wrong') }),
    expected: /remote: This access token is invalid or has expired\./,
  },
  {
    name: 'with an expired token',
    prepare: async () => ({
      url: host.gitUrl('alice/tides.git', await host.addToken(alice.user, ['repo:write'], Date.now() - 1000)),
    }),
    expected: /remote: This access token is invalid or has expired\./,
  },
  {
    name: 'with a token that cannot write',
    prepare: async () => ({ url: host.gitUrl('alice/tides.git', await host.addToken(alice.user, [])) }),
    expected: /remote: This token is read-only\. Pushing requires the repo:write scope\./,
  },
  {
    name: 'by a user with read access',
    prepare: async () => ({ url: host.gitUrl('alice/tides.git', bob.token) }),
    expected: /remote: You do not have write access to alice\/tides\./,
  },
  {
    name: 'to an archived repository',
    prepare: async () => {
      const repository = await host.addRepository(alice.user, `archived-${Date.now()}`)
      await host.deps.store.repositories.change(repository.id, { isArchived: true })
      return { url: host.gitUrl(`alice/${repository.name}.git`, alice.token) }
    },
    expected: /remote: alice\/archived-\d+ is archived \(read-only\)\./,
  },
  {
    name: 'to a private repository of another user',
    prepare: async () => {
      const repository = await host.addRepository(alice.user, `hidden-${Date.now()}`, 'private')
      return { url: host.gitUrl(`alice/${repository.name}.git`, bob.token) }
    },
    expected: /remote: Repository not found\./,
  },
]

for (const { name, prepare, expected } of refusals) {
  test(`a push ${name} is refused with the reason`, async () => {
    const { url } = await prepare()
    const checkout = await host.makeCheckout(url, PAPER)
    const pushed = await checkout.git('push', 'origin', 'main:refs/heads/refused')
    assert.equal(pushed.exitCode, 128)
    assert.match(pushed.stderr, expected)
  })
}

test('the second request of a push is authorized like the first', async () => {
  const ask = async (token: string | null): Promise<number> => {
    const authorization =
      token === null ? {} : { authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` }
    const headers = { 'content-type': 'application/x-git-receive-pack-request', ...authorization }
    return (await fetch(`${host.origin}/alice/tides.git/git-receive-pack`, { method: 'POST', headers, body: '0000' }))
      .status
  }
  const readOnly = await host.addToken(alice.user, [])
  assert.deepEqual(
    [await ask(null), await ask(bob.token), await ask(readOnly), await ask(alice.token)],
    [401, 403, 403, 200],
  )
})

test('ref names outside the policy are refused before git reads them', async () => {
  const checkout = await host.makeCheckout(host.gitUrl('alice/tides.git', alice.token), PAPER)
  const names = ['refs/evil/x', 'refs/heads/HEAD', `refs/heads/${'a'.repeat(40)}`]
  const outcomes = []
  for (const name of names) outcomes.push(await checkout.git('push', 'origin', `HEAD:${name}`))
  assert.deepEqual(
    outcomes.map(({ exitCode, stderr }) => [exitCode, stderr.includes('[remote rejected]')]),
    names.map(() => [1, true]),
  )
})

test('everything but the three requests of git answers 404', async () => {
  const paths = [
    'HEAD',
    'config',
    'description',
    'info/refs',
    'info/refs?service=git-upload-archive',
    'info/refs?service=x',
    'objects/info/packs',
    'objects/ab/cdef',
    'hooks/update',
    'info/attributes',
    'git-upload-archive',
    '../config',
    '%2e%2e/config',
    'info%2frefs?service=git-upload-pack',
    'git-receive-pack/',
    'info/refs/?service=git-upload-pack',
  ]
  const statuses = await Promise.all(paths.map((path) => rawStatus(`/alice/tides.git/${path}`)))
  assert.deepEqual(
    statuses,
    paths.map(() => 404),
  )
})

/** Sends the path unchanged: `fetch` would normalize it. */
function rawStatus(path: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const { hostname, port } = new URL(host.origin)
  request({ hostname, port, path }, (response) => {
    response.resume()
    resolve(response.statusCode ?? 0)
  })
    .once('error', reject)
    .end()
  return promise
}

test('a compressed body that expands without end is cut off', async () => {
  // Not on this thread: the host would close the idle connection of an earlier test, on which the request is sent.
  const bomb = await promisify(gzip)(Buffer.alloc(200 * 1024 * 1024))
  const ask = async (service: string): Promise<number> => {
    const headers = {
      'content-type': `application/x-git-${service}-request`,
      'content-encoding': 'gzip',
      authorization: `Basic ${Buffer.from(`x:${alice.token}`).toString('base64')}`,
    }
    const response = await fetch(`${host.origin}/alice/tides.git/git-${service}`, {
      method: 'POST',
      headers,
      body: bomb,
    })
    return response.status
  }
  const statuses = [await ask('upload-pack'), await ask('receive-pack')]
  assert.deepEqual(
    statuses.map((status) => status >= 400 && status < 500),
    [true, true],
  )
})

test('of simultaneous pushes to one branch exactly one succeeds', async () => {
  await host.addRepository(alice.user, 'race')
  const checkouts = []
  for (let at = 0; at < 12; at++) {
    checkouts.push(await host.makeCheckout(host.gitUrl('alice/race.git', alice.token), { 'a.txt': `version ${at}` }))
  }
  const outcomes = await Promise.all(checkouts.map((checkout) => checkout.git('push', 'origin', 'main')))
  const fsck = await runProgram('git', ['-c', 'safe.directory=*', 'fsck', '--full'], {
    cwd: host.deps.git.gitDir(await idOf('race')),
  })
  assert.deepEqual(
    [
      outcomes.filter(({ exitCode }) => exitCode === 0).length,
      outcomes.filter(({ stderr }) => /HTTP 5/.test(stderr)).length,
      fsck.exitCode,
    ],
    [1, 0, 0],
  )
})

test('simultaneous pushes to different branches all succeed', async () => {
  await host.addRepository(alice.user, 'together')
  const checkout = await host.makeCheckout(host.gitUrl('alice/together.git', alice.token), { 'a.txt': 'a' })
  const branches = Array.from({ length: 12 }, (_, at) => `branch-${at}`)
  const outcomes = await Promise.all(
    branches.map((branch) => checkout.git('push', 'origin', `main:refs/heads/${branch}`)),
  )
  const stored = await host.deps.git.listBranches(await idOf('together'))
  assert.deepEqual(
    [outcomes.map(({ exitCode }) => exitCode), stored.map(({ name }) => name)],
    [branches.map(() => 0), branches.toSorted()],
  )
})

test('an interrupted push leaves the branch unchanged, and the next push works', async () => {
  await host.addRepository(alice.user, 'cut')
  const checkout = await host.makeCheckout(host.gitUrl('alice/cut.git', alice.token), { 'a.txt': 'a' })
  await checkout.git('push', 'origin', 'main')
  const id = await idOf('cut')
  const before = await host.deps.git.findBranch(id, 'main')
  await sendHalfAPush(before?.commitId ?? '')
  assert.deepEqual(await host.deps.git.findBranch(id, 'main'), before)
  const commitId = await checkout.commit({ 'a.txt': 'b' })
  const pushed = await checkout.git('push', 'origin', 'main')
  assert.deepEqual([pushed.exitCode, (await host.deps.git.findBranch(id, 'main'))?.commitId], [0, commitId])
})

/** A push that announces a pack and disconnects within it. */
function sendHalfAPush(oldId: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { hostname, port } = new URL(host.origin)
  const command = `${oldId} ${'1'.repeat(40)} refs/heads/main\0report-status side-band-64k`
  const head = `${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`
  const headers = {
    'content-type': 'application/x-git-receive-pack-request',
    authorization: `Basic ${Buffer.from(`x:${alice.token}`).toString('base64')}`,
    'content-length': '100000',
  }
  const push = request({ hostname, port, path: '/alice/cut.git/git-receive-pack', method: 'POST', headers })
  push.once('error', () => resolve())
  push.write(head)
  push.write(Buffer.concat([Buffer.from('PACK'), Buffer.from([0, 0, 0, 2, 0, 0, 0, 9]), Buffer.alloc(500, 7)]))
  setTimeout(() => push.destroy(new Error('cut')), 100)
  return promise
}

test('the log contains no token and no password', () => {
  const logged = host.logged()
  assert.deepEqual(
    [alice.token, bob.token, Buffer.from(`x:${alice.token}`).toString('base64')].filter((secret) =>
      logged.includes(secret),
    ),
    [],
  )
})

async function idOf(name: string): Promise<number> {
  const repository = await host.deps.store.repositories.findByName('alice', name)
  if (repository === null) throw new Error(`no repository ${name}`)
  return repository.id
}
