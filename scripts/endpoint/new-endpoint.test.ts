/**
 * The way of somebody who adds an endpoint, walked in a copy of the checkout: made by one command, red with words, written
 * in twenty lines, green, held together by the check, and in the documentation that the host for changing it shows.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { copyCheckout } from './copy-checkout.ts'
import type { CheckoutCopy } from './copy-checkout.ts'
import { handlersFolder, matrixFile, routesFile } from './source-files.ts'
import { startDev } from './start-dev.ts'

const endpoint = 'GET /repos/{owner}/{repo}/commits'
const handler = `${handlersFolder}/list-commits.ts`
const handlerTest = `${handlersFolder}/list-commits.test.ts`
const schemasFile = 'packages/texproof/src/compat/openapi-schemas.ts'
const patienceMs = 120_000

let copy: CheckoutCopy
before(() => {
  copy = copyCheckout()
  // What is behind in the original is not judged here.
  runScript('write-documents.ts')
})
after(() => copy.remove())

test('new:endpoint writes the four parts of an endpoint and tells what is next', () => {
  const { status, stdout } = runScript('new-endpoint.ts', 'GET', '/repos/{owner}/{repo}/commits')
  assert.equal(status, 0)
  assert.deepEqual(
    stdout.split('\n').filter((line) => line.startsWith('wrote ') || line.includes('npm test')),
    [
      `wrote ${handler}`,
      `wrote ${handlerTest}`,
      `wrote a row for ${endpoint} into ${routesFile}`,
      `wrote a row for ${endpoint}, as planned, into ${matrixFile}`,
      'wrote docs/compatibility.md',
      '  npm test -- list-commits    red, and it says what to write',
    ],
  )
})

test('what new:endpoint has written is in the form of the house', () => {
  const written = [handler, handlerTest, routesFile, matrixFile]
  writeFileSync(
    join(copy.folder, 'tsconfig.new.json'),
    JSON.stringify({ extends: './tsconfig.json', include: written }),
  )
  assert.deepEqual(
    [
      run(['node_modules/.bin/oxfmt', '--list-different', ...written]).stdout,
      run(['node_modules/.bin/oxlint', '--deny-warnings', ...written]).status,
      run(['node_modules/typescript/bin/tsc', '-p', 'tsconfig.new.json']).stdout,
    ],
    ['', 0, ''],
  )
})

test('the test of a new endpoint is red and says what to write', () => {
  const { status, stdout } = runScript('test.ts', 'list-commits')
  assert.equal(status, 1)
  assert.match(stdout, new RegExp(`answered 404: write listCommits in ${handler}; list-branches.ts beside it`))
})

test('the tests are red as long as an endpoint is only planned', () => {
  const { status, stdout } = runScript('test.ts', 'compat/matrix')
  assert.equal(status, 1)
  assert.match(stdout, /planned and not written: GET \/repos\/\{owner\}\/\{repo\}\/commits - write its handler/)
})

test('new:endpoint refuses what is there already, what is no path, and other methods', () => {
  const refusals = [
    ['GET', '/repos/{o}/{r}/commits'],
    ['GET', '/branches'],
    ['GET', '/repos/{owner}/{owner}'],
    ['GET', 'user'],
    ['DELETE', '/user'],
    ['GET'],
  ].map((args) => runScript('new-endpoint.ts', ...args))
  assert.deepEqual(
    refusals.map(({ status, stderr }) => [status, stderr.trim()]),
    [
      [2, `${endpoint} is there already: ${handler}`],
      [
        2,
        `${handlersFolder}/list-branches.ts is there already. Name the handler otherwise, with --name listSomethingElse.`,
      ],
      [
        2,
        '"/repos/{owner}/{owner}" is no path: two of its parameters have the same name. It looks like /repos/{owner}/{repo}/commits.',
      ],
      [2, '"user" is no path: it does not begin with "/". It looks like /repos/{owner}/{repo}/commits.'],
      [
        2,
        `"DELETE" is no method of the route table, which has GET and POST. Another one begins with RouteBase in ${routesFile}.`,
      ],
      [2, 'Usage: npm run new:endpoint -- GET "/repos/{owner}/{repo}/commits" [--name listCommits]'],
    ],
  )
})

test('a new endpoint is green when its handler, its test and its row are written', () => {
  writeFileSync(join(copy.folder, handler), writtenHandler)
  edit(handlerTest, (text) =>
    text.replace(
      "'the whole answer, written out by hand: the body above is what came'",
      "[{ message: 'Initial commit' }]",
    ),
  )
  edit(schemasFile, (text) =>
    text.replace('  Error: object(', '  Commit: object({ message: text }),\n  Error: object('),
  )
  edit(matrixFile, (text) =>
    text
      .replace("    state: 'planned',\n    summary: 'Planned',", "    summary: 'Commits of the default branch',")
      .replace('answer: null', "answer: 'Commit'")
      .replace('sample: () => []', "sample: () => [{ message: 'First draft' }]"),
  )
  assert.deepEqual(withoutOutput(runScript('write-documents.ts')), { status: 0, stderr: '' })
  assert.equal(runScript('test.ts', 'list-commits', 'compat/matrix').status, 0)
  assert.deepEqual(withoutOutput(runScript('check-endpoints.ts')), { status: 0, stderr: '' })
})

test('the check fails when the documents are behind the code, and names the command', () => {
  const restore = edit(matrixFile, (text) => text.replace('Commits of the default branch', 'What was committed'))
  assert.deepEqual(withoutOutput(runScript('check-endpoints.ts')), {
    status: 1,
    stderr: 'docs/openapi.json is not what the code says - run `npm run docs`\n',
  })
  restore()
})

test('the check fails when a route has no row, and the command that it names writes one', () => {
  const restore = edit(matrixFile, (text) =>
    text.replace(/ {2}\{\n {4}endpoint: '[^']*\/commits',\n[\s\S]*?\n {2}\},\n/, ''),
  )
  const forgotten = withoutOutput(runScript('check-endpoints.ts'))
  assert.deepEqual(forgotten, { status: 1, stderr: `route ${endpoint} has no matrix row - run \`npm run docs\`\n` })
  assert.equal(runScript('write-documents.ts').status, 0)
  assert.deepEqual(withoutOutput(runScript('check-endpoints.ts')), { status: 0, stderr: '' })
  restore()
})

test('npm run dev tells who may sign in, lists the endpoint, names a line with a mistake, and begins again once mended', async () => {
  const server = startDev(copy.folder)
  try {
    const [, address = ''] = await server.says(/^Texproof \S+ {3}data .* {3}(http:\S+)$/m)
    await server.says(/^Sign in as alice with the password \S+$/m)
    const page = await (await fetch(`${address}/docs/api`)).text()
    assert.ok(page.includes(endpoint), 'the endpoint is not on the page')
    const mend = edit(handler, (text) => `${text}const = 1\n`)
    await server.says(/list-commits\.ts:\d+\n[\s\S]*const = 1\n +\^/)
    mend()
    await server.says(/list-commits\.ts:\d+\n[\s\S]*^Texproof \S+ {3}data /m)
    assert.doesNotMatch(server.output(), /"level":"(?:error|fatal)"/)
  } finally {
    await server.stop()
  }
})

const writtenHandler = `import type { ApiDeps, ApiRequest, ApiResponse } from '../api-request.ts'
import { parsePage, windowOf } from '../pagination.ts'
import { getOpenRepository } from '../readable-repository.ts'
import { json } from '../respond.ts'

/**
 * \`${endpoint}\`: commits of the default branch, newest first.
 *
 * @throws ApiError 404 when the repository is absent or hidden from the caller.
 */
export async function listCommits(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { repository } = await getOpenRepository(request, deps)
  const branches = await deps.git.listBranches(repository.id)
  const head = branches.find(({ name }) => name === repository.defaultBranch)
  if (head === undefined) return json(200, [])
  const commits = await deps.git.listCommits(repository.id, head.commitId, windowOf(parsePage(request.query)))
  return json(
    200,
    (commits ?? []).map(({ message }) => ({ message: message.trim() })),
  )
}
`

function run(args: readonly string[]) {
  const env = { ...process.env, NO_COLOR: '1', NODE_TEST_CONTEXT: undefined }
  return spawnSync('scripts/pinned-node', args, { cwd: copy.folder, env, encoding: 'utf8', timeout: patienceMs })
}

function runScript(name: string, ...args: readonly string[]) {
  return run([`scripts/${name}`, ...args])
}

function withoutOutput({ status, stderr }: { readonly status: number | null; readonly stderr: string }) {
  return { status, stderr }
}

/** Changes a file of the copy; what it gives changes it back. */
function edit(path: string, change: (text: string) => string): () => void {
  const file = join(copy.folder, path)
  const text = readFileSync(file, 'utf8')
  const changed = change(text)
  assert.notEqual(changed, text, `nothing to change in ${path}`)
  writeFileSync(file, changed)
  return () => writeFileSync(file, text)
}
