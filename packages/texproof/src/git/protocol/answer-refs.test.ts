/** Compares this host's ref advertisements with `git http-backend` on the same repositories, byte for byte. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

import { git, initialCommit, openTestStore } from '../../../test/support/git/git-repository.ts'
import { defaultSearchPath } from '../process/spawn-git.ts'
import { runGit } from '../process/run-git.ts'
import type { GitStore } from '../types.ts'
import { createLsRefsParser } from './ls-refs.ts'
import { encodePktLine, encodeServiceHeader } from './pkt-line.ts'

const advertisements = [
  { service: 'upload-pack', protocol: null },
  { service: 'upload-pack', protocol: 'version=1' },
  { service: 'upload-pack', protocol: 'version=2' },
  { service: 'receive-pack', protocol: null },
  { service: 'receive-pack', protocol: 'version=1' },
] as const

const lsRefsArguments = [
  [],
  ['peel', 'symrefs', 'unborn', 'ref-prefix HEAD', 'ref-prefix refs/heads/', 'ref-prefix refs/tags/'],
  ['peel', 'symrefs'],
  ['symrefs', 'unborn'],
  ['unborn'],
  ['ref-prefix refs/tags/', 'ref-prefix refs/heads/a', 'ref-prefix refs/heads/a-b', 'ref-prefix refs/heads/none'],
  ['peel', 'ref-prefix refs/heads/ü', 'ref-prefix refs/tags/v1', 'ref-prefix H'],
  ['ref-prefix refs', 'ref-prefix refs/heads/main'],
  ['ref-prefix '],
]

type Make = (gitDir: string, commitId: string) => void

const branch =
  (...names: readonly string[]): Make =>
  (gitDir, commitId) => {
    for (const name of names) git(gitDir, ['update-ref', `refs/heads/${name}`, commitId])
  }

const annotate: Make = (gitDir, commitId) => {
  git(gitDir, ['tag', 'light', commitId])
  git(gitDir, ['tag', '-m', 'first', 'v1', commitId])
  git(gitDir, ['tag', '-m', 'of a tag', 'v1-again', 'v1'])
  git(gitDir, ['tag', '-m', 'of a tree', 'tree', `${commitId}^{tree}`])
  git(gitDir, ['tag', 'blob', git(gitDir, ['rev-parse', `${commitId}:main.tex`])])
}

const pack: Make = (gitDir) => void git(gitDir, ['pack-refs', '--all'])

const many: Make = (gitDir, commitId) => {
  const names = Array.from({ length: 5_000 }, (_, index) => `refs/heads/topic/${index}`).sort()
  const lines = ['refs/heads/main', ...names].map((name) => `${commitId} ${name}\n`)
  writeFileSync(path.join(gitDir, 'packed-refs'), `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`)
}

/** Repositories whose refs are listed without git. */
const plain: Readonly<Record<string, readonly Make[]>> = {
  'one branch': [],
  'branches whose names sort apart': [branch('a', 'a-b', 'b/c', 'b-c', 'ü', 'a.b')],
  'an unborn HEAD beside a branch': [branch('a'), (gitDir) => git(gitDir, ['symbolic-ref', 'HEAD', 'refs/heads/new'])],
  'no ref at all': [(gitDir) => git(gitDir, ['update-ref', '-d', 'refs/heads/main'])],
  'loose tags of every kind': [annotate],
  'packed tags of every kind': [annotate, pack],
  'loose refs over packed ones': [annotate, branch('a'), pack, branch('b'), (gitDir) => git(gitDir, ['tag', 'new'])],
  'hidden refs': [(gitDir, commitId) => git(gitDir, ['update-ref', 'refs/texproof/deleted/1', commitId])],
  'packed hidden refs': [(gitDir, commitId) => git(gitDir, ['update-ref', 'refs/texproof/deleted/1', commitId]), pack],
  '5,000 packed branches': [many, annotate, pack],
}

/** Repositories whose refs only git lists. */
const unusual: Readonly<Record<string, readonly Make[]>> = {
  'a detached HEAD': [(gitDir, commitId) => git(gitDir, ['update-ref', '--no-deref', 'HEAD', commitId])],
  'a symbolic branch': [(gitDir) => git(gitDir, ['symbolic-ref', 'refs/heads/alias', 'refs/heads/main'])],
  'other loose refs': [(gitDir, commitId) => git(gitDir, ['update-ref', 'refs/notes/x', commitId])],
  'other packed refs': [(gitDir, commitId) => git(gitDir, ['update-ref', 'refs/notes/x', commitId]), pack],
  'a setting that hides refs': [(gitDir) => git(gitDir, ['config', 'transfer.hideRefs', 'refs/heads/a'])],
  'a shallow history': [(gitDir, commitId) => writeFileSync(path.join(gitDir, 'shallow'), `${commitId}\n`)],
  'packed refs without notes': [
    annotate,
    pack,
    (gitDir, commitId) => writeFileSync(path.join(gitDir, 'packed-refs'), `${commitId} refs/heads/main\n`),
  ],
  'the reftable format': [(gitDir) => git(gitDir, ['config', 'extensions.refStorage', 'reftable'])],
}

for (const [what, makes] of Object.entries(plain)) {
  test(`refs of a repository with ${what} are listed like git http-backend lists them`, async (t) => {
    const { store } = await openStoreWith(t, makes)
    // Capabilities are read from git on a repository that shows all of them.
    await store.createRepository(2, { defaultBranch: 'main', initialCommit: initialCommit({ 'main.tex': 'x' }) })
    for (const options of advertisements) await store.advertiseRefs(2, options)
    const isEmpty = (await store.listBranches(1)).length === 0
    for (const options of advertisements) {
      const answer = await store.advertiseRefs(1, options)
      // Versions of git differ for a fetch from an empty repository, so git answers it.
      if (isEmpty && options.service === 'upload-pack' && options.protocol !== 'version=2') {
        assert.equal(answer, null)
        continue
      }
      assert.ok(answer, JSON.stringify(options))
      const { service, protocol } = options
      const ours = Buffer.concat([encodeServiceHeader(service, protocol), ...answer])
      assert.equal(ours.toString(), await askBackend(store, options), JSON.stringify(options))
    }
    for (const wanted of lsRefsArguments) {
      const request = encodeLsRefsRequest(wanted)
      const read = createLsRefsParser()(request)
      assert.equal(read.kind, 'ls-refs')
      const answer = await store.listRefs(1, read.request)
      assert.ok(answer, wanted.join())
      assert.equal(Buffer.concat([...answer]).toString(), await askBackend(store, { request }), wanted.join())
    }
  })
}

for (const [what, makes] of Object.entries(unusual)) {
  test(`refs of a repository with ${what} are listed by git`, async (t) => {
    const { store } = await openStoreWith(t, makes)
    const lists = [
      await store.advertiseRefs(1, { service: 'upload-pack', protocol: null }),
      await store.advertiseRefs(1, { service: 'receive-pack', protocol: null }),
      await store.listRefs(1, { peel: true, symrefs: true, unborn: true, prefixes: [] }),
    ]
    assert.deepEqual(lists, [null, null, null])
  })
}

test('a cached list is updated for a new branch and a new default branch', async (t) => {
  const { store, gitDir, commitId } = await openStoreWith(t, [many])
  const request = encodeLsRefsRequest(['symrefs'])
  const list = async (): Promise<string> => {
    const answer = await store.listRefs(1, { peel: false, symrefs: true, unborn: false, prefixes: [] })
    return Buffer.concat([...(answer ?? [])]).toString()
  }
  const before = [await list(), await list()]
  const expectedBefore = await askBackend(store, { request })
  branch('new')(gitDir, commitId)
  git(gitDir, ['symbolic-ref', 'HEAD', 'refs/heads/new'])
  assert.deepEqual([...before, await list()], [expectedBefore, expectedBefore, await askBackend(store, { request })])
})

test('requests with long prefixes that match no ref use up the cache of lists', async (t) => {
  const { store } = await openStoreWith(t, [many])
  const isCached = async (prefixes: readonly string[]): Promise<boolean> => {
    const answer = (await store.listRefs(1, { peel: false, symrefs: false, unborn: false, prefixes })) ?? []
    for (const _ of answer) continue
    return Array.isArray(answer)
  }
  const first = [await isCached([]), await isCached([])]
  for (let n = 0; n < 400; n += 1) await isCached([`refs/none/${'x'.repeat(60_000)}${n}`])
  assert.deepEqual([...first, await isCached([])], [false, true, false])
})

const otherRequests: Readonly<Record<string, Uint8Array>> = {
  'a fetch': Buffer.concat([encodePktLine('command=fetch'), Buffer.from('0001'), encodePktLine('done\n')]),
  'an unknown argument': encodeLsRefsRequest(['sorted']),
  'an unknown capability': Buffer.concat([
    encodePktLine('command=ls-refs'),
    encodePktLine('server-option=x'),
    Buffer.from('00010000'),
  ]),
  sha256: Buffer.concat([
    encodePktLine('command=ls-refs'),
    encodePktLine('object-format=sha256'),
    Buffer.from('00010000'),
  ]),
  'no arguments': Buffer.concat([encodePktLine('command=ls-refs'), Buffer.from('0000')]),
  'a prefix that is not UTF-8': Buffer.concat([
    encodePktLine('command=ls-refs'),
    Buffer.from('0001'),
    encodePktLine(Buffer.concat([Buffer.from('ref-prefix '), Buffer.from([0xff])])),
    Buffer.from('0000'),
  ]),
  'no packets': Buffer.from('GET / HTTP/1.1'),
  'an endless request': Buffer.concat(
    Array.from({ length: 2_000 }, (_, index) => encodePktLine(index === 0 ? 'command=ls-refs' : 'agent=x'.repeat(9))),
  ),
}

for (const [what, bytes] of Object.entries(otherRequests)) {
  test(`a parser of ls-refs leaves ${what} to git`, () => {
    assert.deepEqual(createLsRefsParser()(bytes), { kind: 'other' })
  })
}

test('a parser of ls-refs waits for the rest of a request', () => {
  const request = encodeLsRefsRequest(['peel', 'ref-prefix refs/heads/'])
  const parse = createLsRefsParser()
  const reads = Array.from({ length: request.length + 1 }, (_, length) => parse(request.subarray(0, length)))
  const whole = { peel: true, symrefs: false, unborn: false, prefixes: ['refs/heads/'] }
  assert.deepEqual(reads, [
    ...Array.from({ length: request.length }, () => ({ kind: 'incomplete' })),
    { kind: 'ls-refs', request: whole },
  ])
})

test('a parser of ls-refs does not read complete packets again', () => {
  const request = encodeLsRefsRequest(['peel'])
  const parse = createLsRefsParser()
  parse(request.subarray(0, -4))
  request.fill('x', 0, request.length - 4)
  assert.deepEqual(parse(request), {
    kind: 'ls-refs',
    request: { peel: true, symrefs: false, unborn: false, prefixes: [] },
  })
})

async function openStoreWith(t: Parameters<typeof openTestStore>[0], makes: readonly Make[]) {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: initialCommit({ 'main.tex': 'Hello.\n' }) })
  const gitDir = store.gitDir(1)
  const commitId = git(gitDir, ['rev-parse', 'HEAD'])
  for (const make of makes) make(gitDir, commitId)
  return { store, gitDir, commitId }
}

function encodeLsRefsRequest(wanted: readonly string[]): Buffer {
  const capabilities = ['command=ls-refs', 'agent=git/2.50.0', 'object-format=sha1'].map(encodePktLine)
  const lines = wanted.map((line) => encodePktLine(`${line}\n`))
  return Buffer.concat([...capabilities, Buffer.from('0001'), ...lines, Buffer.from('0000')])
}

/** The response body of `git http-backend`, with the settings of every git process. */
async function askBackend(
  store: GitStore,
  asked: (typeof advertisements)[number] | { readonly request: Buffer },
): Promise<string> {
  const gitDir = store.gitDir(1)
  const isList = 'request' in asked
  const run = await runGit(['http-backend'], {
    gitDir: null,
    searchPath: defaultSearchPath,
    protocol: isList ? 'version=2' : asked.protocol,
    input: isList ? asked.request : '',
    variables: {
      GIT_PROJECT_ROOT: path.dirname(gitDir),
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'alice',
      REQUEST_METHOD: isList ? 'POST' : 'GET',
      PATH_INFO: `/${path.basename(gitDir)}/${isList ? 'git-upload-pack' : 'info/refs'}`,
      QUERY_STRING: isList ? '' : `service=git-${asked.service}`,
      CONTENT_TYPE: 'application/x-git-upload-pack-request',
      ...(isList ? { CONTENT_LENGTH: String(asked.request.length) } : {}),
    },
    timeoutMs: 60_000,
    maxOutputBytes: 100_000_000,
  })
  assert.equal(run.kind, 'exited')
  const answer = run.stdout.toString()
  return answer.slice(answer.indexOf('\r\n\r\n') + 4)
}
