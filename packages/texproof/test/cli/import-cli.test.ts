import assert from 'node:assert/strict'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { lockDataDir } from '../../src/store/sqlite/data-dir-lock.ts'
import { openApiHost, type ApiHost } from '../support/hosts/api-host.ts'
import { makeZip } from '../support/make-zip.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'

const source = '\\documentclass{article}\\begin{document}Tides\\end{document}\n'

let host: ApiHost
let folder: string

before(async () => {
  host = await openApiHost()
  await host.addUser('alice')
  folder = join(host.dataDir, 'tmp', 'papers')
  await mkdir(join(folder, 'Sea Tides', '.git'), { recursive: true })
})
after(() => host.close())

const run = (...args: readonly string[]) => runTexproof(['import', ...args, '--data', host.dataDir])

test('texproof import creates a private repository from a directory and builds it', async () => {
  const tides = join(folder, 'Sea Tides')
  await writeFile(join(tides, 'main.tex'), source)
  await writeFile(join(tides, 'main.aux'), '\\relax\n')
  await writeFile(join(tides, '.git', 'config'), '')
  await symlink('/etc/passwd', join(tides, 'passwords.tex'))
  const { exitCode, stdout } = await run(tides, '--owner', 'alice', '--private', '--json')
  const { body } = Object(await host.call({ target: '/repos/alice/Sea-Tides' }))
  assert.deepEqual(
    [exitCode, JSON.parse(stdout), body.message],
    [
      0,
      {
        repository: 'alice/Sea-Tides',
        url: 'http://localhost:3000/alice/Sea-Tides',
        files: 1,
        skipped: [
          { path: '.git', reason: 'git data of another repository' },
          { path: 'main.aux', reason: 'written by LaTeX at every compile' },
          { path: 'passwords.tex', reason: 'link: add the file itself' },
        ],
        unportable: [],
        missing_packages: [],
        builds: [{ root_file: 'main.tex', state: 'succeeded', errors: 0 }],
      },
      'Not Found',
    ],
  )
})

test('texproof import skips a name of a directory that is not UTF-8', async () => {
  const latin = join(folder, 'latin')
  await mkdir(latin)
  await writeFile(join(latin, 'main.tex'), source)
  await writeFile(Buffer.concat([Buffer.from(`${latin}/`), Buffer.from('M\u{F6}we.tex', 'latin1')]), source)
  const { exitCode, stdout } = await run(latin, '--owner', 'alice', '--json')
  assert.deepEqual(
    [exitCode, exitCode === 0 && JSON.parse(stdout).skipped],
    [0, [{ path: 'M\u{FFFD}we.tex', reason: 'the name is not UTF-8: rename the file' }]],
  )
})

test('texproof import reports what it found in an archive', async () => {
  const zip = join(folder, 'waves.zip')
  await writeFile(
    zip,
    makeZip([
      { name: 'waves/main.tex', data: source },
      { name: 'waves/.DS_Store', data: 'x' },
    ]),
  )
  const { exitCode, stdout, stderr } = await run(zip, '--owner', 'alice')
  assert.deepEqual(
    [exitCode, stdout, stderr.trimEnd().split('\n')],
    [
      0,
      '',
      [
        '1 file; removed the top-level folder waves',
        '  main.tex, pdfLaTeX: named main.tex, default engine',
        '  skipped waves/.DS_Store: file of the operating system',
        'Created alice/waves: http://localhost:3000/alice/waves',
        '  built alice/waves: 1 build',
      ],
    ],
  )
})

test('texproof import prints the address of the running server, and takes the author of the first commit from it', async () => {
  const lock = lockDataDir(host.dataDir, { pid: process.pid, url: 'https://papers.example' })
  const paper = join(folder, 'reefs.tex')
  await writeFile(paper, source)
  const { stdout } = await run(paper, '--owner', 'alice', '--json')
  lock?.release()
  const reefs = await host.store.repositories.findByName('alice', 'reefs')
  const id = reefs?.id ?? 0
  const branch = await host.git.findBranch(id, 'main')
  const commit = await host.git.findCommit(id, branch?.commitId ?? '')
  assert.deepEqual(
    [JSON.parse(stdout).url, commit?.author.email],
    ['https://papers.example/alice/reefs', 'noreply@papers.example'],
  )
})

test('texproof import does not wait for workers', async () => {
  const paper = join(folder, 'currents.tex')
  await writeFile(paper, source)
  const { exitCode, stderr } = await runTexproof(['import', paper, '--owner', 'alice', '--data', host.dataDir], {
    env: { TEXPROOF_BUILD_LOCAL: 'false' },
  })
  assert.deepEqual(
    [exitCode, stderr.trimEnd().split('\n').at(-1)],
    [0, '  queued for workers: 1 build of alice/currents'],
  )
})

test('texproof import explains why it refuses a source', async () => {
  const hostile = join(folder, 'hostile.zip')
  await writeFile(hostile, makeZip([{ name: '../main.tex', data: source }]))
  const good = join(folder, 'paper.tex')
  await writeFile(good, source)
  const outcomes = [
    await run(hostile, '--owner', 'alice'),
    await run(join(folder, 'none.zip'), '--owner', 'alice'),
    await run(good, '--owner', 'carol'),
    await run(good, '--owner', 'alice', '--name', 'a/b'),
    await run(good, '--owner', 'alice', '--name', 'waves'),
  ]
  assert.deepEqual(
    outcomes.map(({ exitCode, stderr }) => [exitCode, stderr.split('\n').find((line) => line.startsWith('texproof:'))]),
    [
      [
        2,
        'texproof: import refused: The name "../main.tex" points outside the archive. Create the archive again without "..".',
      ],
      [2, `texproof: ${join(folder, 'none.zip')} not found`],
      [2, `texproof: user "carol" not found in ${host.dataDir}`],
      [2, 'texproof: invalid repository name "a/b"'],
      [2, 'texproof: alice already has a repository named waves'],
    ],
  )
})
