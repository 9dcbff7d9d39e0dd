import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { explainFailure } from './explain-failure.mjs'

const run = promisify(execFile)
/** The host is ready within seconds, even on a slow machine. */
const patienceMs = 60_000

const paper = {
  'README.md': '# Tides\n\nMeasured *daily*, see [the data](data/) and `make`.\n\n* One station\n',
  'main.tex': [
    '\\documentclass{article}',
    '\\title{Tides}',
    '\\begin{document}',
    '\\maketitle',
    '\\section{High water}\\label{sec:high}',
    'The water rises, see Section~\\ref{sec:high} and \\emph{the data}. % at night',
    '\\end{document}',
    '',
  ].join('\n'),
  'data/tides.csv': 'hour,height\n1,2\n',
}

/** What readers and clients request first. */
const pages = [
  '/',
  '/login',
  '/alice',
  '/alice/tides',
  '/alice/tides/blob/main/main.tex',
  '/alice/tides/blob/main/README.md',
  '/alice/tides/blob/main/data/tides.csv',
  '/alice/tides/tree/main/data',
  '/alice/tides/commits/main',
  '/alice/tides/commit/COMMIT',
  '/alice/tides/pdf/main',
  '/alice/tides.git/info/refs?service=git-upload-pack',
  '/api/v3/user',
  '/api/v3/repos/alice/tides',
  '/api/v3/repos/alice/tides/branches',
]

/**
 * Runs a host from the merged sources with a paper, requests its pages, and has it store the code that V8 has compiled.
 * Resolves with the reason if that fails, otherwise with null. Without this code, starts and first requests take longer.
 *
 * @param {string} root Absolute path of the checkout.
 * @param {string} main Absolute path of the merged `main.cjs`.
 * @returns {Promise<string | null>}
 */
export async function storeCode(root, main) {
  const folder = mkdtempSync(join(tmpdir(), 'texproof-code-'))
  try {
    await useHost(makeCommand(root, main, folder), folder)
    return null
  } catch (error) {
    removeCode(dirname(main))
    return explainFailure(error.message)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Settings of this shell, such as a database, are not for this host. */
function makeCommand(root, main, folder) {
  const bin = join(root, 'packages', 'texproof', 'bin')
  const start = ['--require', join(bin, 'resolve-sources.mjs'), join(bin, 'load-merged.mjs')]
  const { PATH = '', LANG = 'C.UTF-8' } = process.env
  const env = { PATH, LANG, HOME: folder, TMPDIR: tmpdir(), GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' }
  return { program: join(root, 'scripts', 'pinned-node'), start, main, env, data: ['--data', join(folder, 'data')] }
}

async function useHost(command, folder) {
  const { program, start, main, env, data } = command
  const args = [...start, '--store-code', main, 'serve', ...data, '--listen', '127.0.0.1:0']
  const host = spawn(program, args, { env, stdio: ['pipe', 'ignore', 'pipe'] })
  const ended = new Promise((resolve) => host.once('close', resolve))
  const impatience = setTimeout(() => host.kill('SIGKILL'), patienceMs)
  try {
    const url = await readAddress(host, ended)
    const token = await makeToken(command)
    const commitId = await pushPaper(url, { token, folder, env })
    for (const page of pages) await request(`${url}${page.replace('COMMIT', commitId)}`, token)
    host.stdin.end()
    if ((await ended) !== 0) throw new Error('the host did not end regularly')
  } finally {
    clearTimeout(impatience)
    host.kill('SIGKILL')
    await ended
  }
}

/** Resolves with the URL that the host prints when it is ready. */
function readAddress(host, ended) {
  return new Promise((resolve, reject) => {
    let output = ''
    host.stderr.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-8_000)
      const url = /^Texproof .* (http:\S+)$/m.exec(output)?.[1]
      if (url !== undefined) resolve(url)
    })
    host.once('error', reject)
    void ended.then(() => reject(new Error(output || 'the host ended before it was ready')))
  })
}

async function makeToken({ program, start, main, env, data }) {
  await run(program, [...start, main, 'user', 'add', 'alice', ...data], { env })
  const { stdout } = await run(program, [...start, main, 'token', 'create', '--user', 'alice', ...data], { env })
  return stdout.trim()
}

/** Resolves with the id of the commit, after its build. */
async function pushPaper(url, { token, folder, env }) {
  await request(`${url}/api/v3/user/repos`, token, JSON.stringify({ name: 'tides' }))
  const work = join(folder, 'tides')
  for (const [path, text] of Object.entries(paper)) {
    mkdirSync(dirname(join(work, path)), { recursive: true })
    writeFileSync(join(work, path), text)
  }
  const git = (...args) =>
    run('git', ['-C', work, '-c', 'user.name=alice', '-c', 'user.email=alice@example.org', ...args], { env })
  await git('init', '--quiet', '--initial-branch=main')
  await git('add', '.')
  await git('commit', '--quiet', '--message=Add the paper')
  const remote = new URL('/alice/tides.git', url)
  Object.assign(remote, { username: 'alice', password: token })
  await git('push', '--quiet', remote.href, 'main')
  return (await git('rev-parse', 'HEAD')).stdout.trim()
}

async function request(url, token, body) {
  const headers = { authorization: `token ${token}`, 'content-type': 'application/json' }
  const method = body === undefined ? 'GET' : 'POST'
  const response = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(patienceMs) })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status}`)
}

function removeCode(folder) {
  for (const name of readdirSync(folder)) if (name.endsWith('.code')) rmSync(join(folder, name))
}
