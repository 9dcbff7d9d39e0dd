import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import type { TestContext } from 'node:test'

import { cleanEnvironment, texproofCommand } from '../support/programs/checkout.ts'
import { makeFolder } from '../support/make-folder.ts'
import { runProgram, runTestGit, type ProgramOutcome } from '../support/programs/run-program.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'
import { startHost } from '../support/hosts/start-host.ts'
import type { RunningHost } from '../support/hosts/start-host.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

const source = '\\documentclass{article}\\begin{document}Hi\\end{document}'
const author = ['-c', 'user.name=alice', '-c', 'user.email=alice@example.org']

describe('texproof serve', () => {
  const folder = makeFolder({ after })
  let host: RunningHost
  before(async () => {
    host = await startHost()
  })
  after(() => host.stop('SIGKILL'))

  const compile = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${host.url}/compile`, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } })

  it('answers GET /health with 200 and status ok', async () => {
    const response = await fetch(`${host.url}/health`)
    assert.deepEqual([response.status, await response.json()], [200, { status: 'ok' }])
  })

  it('serves the API, git, the compile service and pages on one port', async () => {
    const paths = [
      '/api/v3/user',
      '/alice/none.git/info/refs?service=git-upload-pack',
      '/compile',
      '/',
      '/nobody/nothing',
    ]
    const answers = await Promise.all(paths.map((path) => fetch(`${host.url}${path}`, { redirect: 'manual' })))
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [401, 401, 405, 200, 404],
    )
  })

  it('compiles at POST /compile', async () => {
    const response = await compile(JSON.stringify({ source }))
    const { pdf, errors } = (await response.json()) as { pdf: string; errors: unknown[] }
    assert.deepEqual(
      [response.status, Buffer.from(pdf, 'base64').subarray(0, 5).toString(), errors],
      [200, '%PDF-', []],
    )
  })

  it('answers a body that is not JSON with 400 and keeps running', async () => {
    const statuses = [
      (await compile('{"source":')).status,
      (await compile(JSON.stringify({ source: 1 }))).status,
      (await fetch(`${host.url}/health`)).status,
    ]
    assert.deepEqual(statuses, [400, 400, 200])
  })

  it('answers invalid HTTP with 400 and keeps running', async () => {
    const socket = connect(host.port, '127.0.0.1')
    socket.end('NONSENSE\r\n\r\n')
    const answer = await text(socket)
    assert.deepEqual(
      [answer.split('\r\n')[0], (await fetch(`${host.url}/health`)).status],
      ['HTTP/1.1 400 Bad Request', 200],
    )
  })

  it('refuses a push with an invalid token and prints why', async () => {
    const paper = makeFolder({ after })
    const script = `git init -q -b main . && git -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m x &&
      GIT_TERMINAL_PROMPT=0 git push http://alice:pst_wrong@127.0.0.1:${host.port}/alice/tides.git main`
    const env = { GIT_CONFIG_GLOBAL: '/dev/null', HOME: paper }
    const { exitCode, stderr } = await runProgram('bash', ['-c', script], { cwd: paper, env })
    assert.deepEqual([exitCode === 0, /token/i.test(stderr)], [false, true])
  })

  it('names the process that uses the port, and changes nothing', async () => {
    const other = join(folder, 'other')
    const { exitCode, stderr } = await runTexproof(['serve', '--data', other, '--listen', `127.0.0.1:${host.port}`])
    const line = stderr.split('\n').find((words) => words.startsWith('texproof:'))
    assert.deepEqual(
      [exitCode, line?.replace(/\d+\)$/, 'N)')],
      [2, `texproof: port ${host.port} is already in use by "node" (pid N)`],
    )
  })

  it('records its address, so that links of other commands lead to it', async () => {
    const { exitCode, stdout, stderr } = await runTexproof(['user', 'invite', '--data', host.dataDir])
    assert.deepEqual([exitCode, stdout.startsWith(`${host.url}/join?code=`), stderr], [0, true, ''])
  })

  it('prints no log line at the start', async () => {
    await host.said(/TeX Live/)
    assert.deepEqual(
      host
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{') && line.includes('/ready')),
      [],
    )
  })

  it('rejects an address that this machine does not have', async () => {
    const { exitCode, stderr } = await runTexproof([
      'serve',
      '--data',
      join(folder, 'other'),
      '--listen',
      '192.0.2.1:0',
    ])
    assert.deepEqual([exitCode, stderr.includes('address "192.0.2.1" is not available on this machine')], [2, true])
  })

  it('finishes a running compile on SIGTERM, and exits with 0', async () => {
    assert.deepEqual(await stopDuringCompile(host, 'SIGTERM'), { hasPdf: true, exitCode: 0 })
  })
})

describe('texproof serve in a terminal that is closed', () => {
  it('finishes a running compile, and exits with 0', async (t) => {
    const host = await startHost()
    t.after(() => host.stop('SIGKILL'))
    assert.deepEqual(await stopDuringCompile(host, 'SIGHUP'), { hasPdf: true, exitCode: 0 })
  })
})

describe('npm start', () => {
  it('finishes a running compile on Ctrl+C, which npm passes on to the server, too', async (t) => {
    const host = await startHost({ command: ['npm', 'start', '--'] })
    t.after(() => host.stop('SIGKILL'))
    assert.deepEqual(await stopDuringCompile(host, 'SIGINT'), { hasPdf: true, exitCode: 0 })
  })
})

describe('texproof serve with a log that cannot be written', () => {
  it('runs, and exits with 0', async (t) => {
    const dataDir = makeFolder(t)
    const command = ['serve', '--data', dataDir, '--listen', '127.0.0.1:0'].map((word) => `'${word}'`).join(' ')
    // Every write to this device fails with ENOSPC, as on a full disk.
    const child = spawn('sh', ['-c', `exec '${texproofCommand}' ${command} 2> /dev/full`], { env: cleanEnvironment() })
    const ended = once(child, 'exit')
    t.after(() => child.kill('SIGKILL'))
    const { url } = await eventually(async () => readHolder(dataDir), { until: (holder) => holder.url !== '' })
    const { status } = await fetch(`${url}/health`)
    const page = await fetch(`${url}/nobody/nothing`)
    child.kill('SIGTERM')
    const [exitCode] = (await ended) as [number | null]
    assert.deepEqual([status, page.status, exitCode], [200, 404, 0])
  })

  it('exits with 0 when nothing reads its messages, and no more of them fit', async (t) => {
    const dataDir = makeFolder(t)
    const fill = `mkfifo '${dataDir}/log' && exec 3<>'${dataDir}/log' && head -c 65536 /dev/zero >&3`
    const serve = `exec '${texproofCommand}' serve --data '${dataDir}/data' --listen 127.0.0.1:0 2>&3`
    const child = spawn('sh', ['-c', `${fill} && ${serve}`], { env: cleanEnvironment() })
    const ended = once(child, 'exit')
    t.after(() => child.kill('SIGKILL'))
    const { url } = await eventually(() => readHolder(join(dataDir, 'data')), { until: (holder) => holder.url !== '' })
    const { status } = await fetch(`${url}/health`)
    child.kill('SIGTERM')
    const [exitCode] = (await ended) as [number | null]
    assert.deepEqual([status, exitCode], [200, 0])
  })

  it('finishes a running compile on SIGTERM when the reader of the log has ended', async (t) => {
    const command = ['bash', '-c', 'exec "$0" serve "$@" 2> >(grep -m 1 ^Texproof)', texproofCommand] as const
    const host = await startHost({ command })
    t.after(() => host.stop('SIGKILL'))
    assert.deepEqual(await stopDuringCompile(host, 'SIGTERM'), { hasPdf: true, exitCode: 0 })
  })
})

describe('texproof serve without builds of its own', () => {
  it('answers GET /ready without a test document', async (t) => {
    const host = await startHost({ env: { TEXPROOF_BUILD_LOCAL: 'false' } })
    t.after(() => host.stop('SIGKILL'))
    const response = await fetch(`${host.url}/ready`)
    assert.deepEqual([response.status, await response.json()], [200, { status: 'ready' }])
  })
})

describe('texproof serve on a public address', () => {
  it('refuses POST /compile until a key is configured', async (t) => {
    const host = await startHost({ args: ['--listen', '0.0.0.0:0'] })
    t.after(() => host.stop('SIGKILL'))
    const headers = { 'Content-Type': 'application/json' }
    const { status } = await fetch(`${host.url}/compile`, { method: 'POST', headers, body: JSON.stringify({ source }) })
    assert.deepEqual([status, host.output().includes('POST /compile is disabled')], [401, true])
  })

  it('accepts POST /compile with the key of COMPILE_API_KEY', async (t) => {
    const host = await startHost({
      args: ['--listen', '0.0.0.0:0'],
      env: { COMPILE_API_KEY: 'sesame' },
    })
    t.after(() => host.stop('SIGKILL'))
    const ask = (key: string): Promise<Response> =>
      fetch(`${host.url}/compile`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
        body: JSON.stringify({ source }),
      })
    assert.deepEqual([(await ask('wrong')).status, (await ask('sesame')).status], [401, 200])
  })
})

describe('texproof serve without a sandbox', () => {
  // The command in a mount namespace in which bubblewrap is an empty file.
  const hiding = ['bwrap', '--dev-bind', '/', '/', '--ro-bind', '/dev/null', '/usr/bin/bwrap'] as const

  it('refuses to start and prints the remedy', async (t) => {
    const command = ['60', ...hiding, texproofCommand, 'serve', '--data', makeFolder(t), '--listen', ':0']
    const { exitCode, stderr } = await runProgram('timeout', command, { env: cleanEnvironment() })
    const told = ['no sandbox available', 'apt-get install bubblewrap', '--unsafe-no-sandbox']
    assert.deepEqual([exitCode, ...told.map((words) => stderr.includes(words))], [1, true, true, true], stderr)
  })

  it('starts with --unsafe-no-sandbox, and warns', async (t) => {
    const command = [...hiding, texproofCommand, 'serve'] as const
    const host = await startHost({ command, args: ['--unsafe-no-sandbox'] })
    t.after(() => host.stop('SIGKILL'))
    assert.equal(host.output().includes('NO SANDBOX'), true)
  })
})

describe('texproof serve while the sandbox is examined', () => {
  it('answers pages, and builds afterwards what is pushed', async (t) => {
    const { starting, url, dataDir, release } = await startHeld(t)
    const pushing = pushPaper(t, { url, dataDir })
    await eventually(() => readBuild(url), { until: (page) => page.includes('queued') })
    release()
    await starting
    const { exitCode, stderr } = await pushing
    assert.deepEqual([exitCode, /Building main.*1 page/.test(stderr)], [0, true], stderr)
  })

  it('leaves builds in the queue if there is no sandbox', async (t) => {
    const { starting, url, dataDir, release } = await startHeld(t)
    void pushPaper(t, { url, dataDir })
    await eventually(() => readBuild(url), { until: (page) => page.includes('queued') })
    release('exit 1')
    await assert.rejects(starting, /no sandbox available/)
    const again = await startHost({ dataDir })
    try {
      const status = async (): Promise<number> => (await fetch(`${again.url}/alice/tides/pdf/main.pdf`)).status
      assert.equal(await eventually(status, { until: (code) => code === 200 }), 200)
    } finally {
      await again.stop('SIGKILL')
    }
  })
})

describe('texproof serve after an earlier start has examined the sandbox', () => {
  it('prints its address while the sandbox is examined again', async (t) => {
    const { host, release } = await startAgainHeld(t)
    const before = host.output().includes('bubblewrap sandbox')
    release(realBubblewrap)
    const line = await host.said(/✓ bubblewrap sandbox: .*/)
    assert.deepEqual([before, line.startsWith('✓ bubblewrap sandbox: no network')], [false, true])
  })

  it('ends if the sandbox has stopped working', async (t) => {
    const { host, release } = await startAgainHeld(t)
    release('exit 1')
    const exitCode = await host.ended
    assert.deepEqual([exitCode, host.output().includes('no sandbox available')], [1, true])
  })

  it('waits for the sandbox after one that has stopped working', async (t) => {
    const { host, release, dataDir, env } = await startAgainHeld(t)
    release('exit 1')
    await host.ended
    await assert.rejects(startHost({ dataDir, env }), /^(?!.*Texproof \S+ {3}data).*no sandbox available/s)
  })
})

interface HeldAgain {
  readonly host: RunningHost
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
  /** Lets bubblewrap run this script. */
  readonly release: (script: string) => void
}

const realBubblewrap = 'exec /usr/bin/bwrap "$@"'

/** A host that has started twice in the same data directory. Since the second start, bubblewrap waits until it is released. */
async function startAgainHeld(t: TestContext): Promise<HeldAgain> {
  let host: RunningHost | null = null
  // Registered before the folders, which are removed after it has stopped.
  t.after(() => host?.stop('SIGKILL'))
  const dataDir = makeFolder(t)
  const { env, release, hold } = holdBubblewrap(makeFolder(t, 0o755))
  release(realBubblewrap)
  host = await startHost({ dataDir, env })
  await eventually(() => existsSync(join(dataDir, 'cache', 'sandbox-tested')), { until: Boolean })
  await host.stop()
  hold()
  host = await startHost({ dataDir, env })
  return { host, dataDir, env, release }
}

interface HeldBubblewrap {
  readonly env: Readonly<Record<string, string>>
  readonly hold: () => void
  readonly release: (script: string) => void
}

/** Puts a bubblewrap into a folder that waits, from its first start on, until it is released. */
function holdBubblewrap(folder: string): HeldBubblewrap {
  const releaseFile = join(folder, 'releaseFile')
  const script = `#!/bin/sh\n[ "$1" = --version ] && ${realBubblewrap}\nwhile [ ! -e ${releaseFile} ]; do sleep 0.05; done\n. ${releaseFile}\n`
  writeFileSync(join(folder, 'bwrap'), script, { mode: 0o755 })
  return {
    env: { PATH: `${folder}:${process.env['PATH'] ?? ''}` },
    hold: () => rmSync(releaseFile),
    release: (then) => {
      writeFileSync(`${releaseFile}.new`, then)
      renameSync(`${releaseFile}.new`, releaseFile)
    },
  }
}

interface HeldHost {
  readonly starting: Promise<RunningHost>
  readonly url: string
  readonly dataDir: string
  /** Lets bubblewrap run this script, by default the real bubblewrap. */
  readonly release: (script?: string) => void
}

/** A host that answers requests, and whose bubblewrap waits until it is released. */
async function startHeld(t: TestContext): Promise<HeldHost> {
  let starting: Promise<RunningHost> | null = null
  // Registered before the folders, which are removed after it has stopped.
  t.after(async () => (await starting?.catch(() => null))?.stop('SIGKILL'))
  const { env, release } = holdBubblewrap(makeFolder(t, 0o755))
  const dataDir = makeFolder(t)
  starting = startHost({ dataDir, env })
  starting.catch(() => {}) // The tests look at it.
  const { url } = await eventually(() => readHolder(dataDir), { until: (holder) => holder.url !== '' })
  await fetch(url)
  return {
    starting,
    url,
    dataDir,
    release: (script = realBubblewrap) => release(script),
  }
}

async function readBuild(url: string): Promise<string> {
  return (await fetch(`${url}/alice/tides/builds/1`)).text()
}

async function pushPaper(t: TestContext, { url, dataDir }: Pick<HeldHost, 'url' | 'dataDir'>): Promise<ProgramOutcome> {
  await runTexproof(['user', 'add', 'alice', '--data', dataDir])
  const token = (await runTexproof(['token', 'create', '--user', 'alice', '--data', dataDir])).stdout.trim()
  const headers = { authorization: `token ${token}`, 'content-type': 'application/json' }
  await fetch(`${url}/api/v3/user/repos`, { method: 'POST', headers, body: JSON.stringify({ name: 'tides' }) })
  const work = makeFolder(t)
  await runTestGit(work, ['init', '--quiet', '--initial-branch=main'])
  writeFileSync(join(work, 'main.tex'), source)
  await runTestGit(work, ['add', '.'])
  await runTestGit(work, [...author, 'commit', '--quiet', '--message=Add the paper'])
  const remote = Object.assign(new URL('/alice/tides.git', url), { username: 'alice', password: token })
  return runProgram('git', ['-C', work, 'push', remote.href, 'main'], { env: cleanEnvironment() })
}

/** The address that a server records in its data directory; empty before. */
function readHolder(dataDir: string): { readonly url: string } {
  const place = join(dataDir, 'serve.json')
  return existsSync(place) ? (JSON.parse(readFileSync(place, 'utf8') || '{"url":""}') as { url: string }) : { url: '' }
}

/** Sends a signal to all processes, as a terminal does, while a document compiles. */
async function stopDuringCompile(
  host: RunningHost,
  signal: NodeJS.Signals,
): Promise<{ readonly hasPdf: boolean; readonly exitCode: number | null }> {
  const slow =
    '\\documentclass{article}\\newcount\\n\\begin{document}\\loop\\advance\\n1 \\ifnum\\n<3000000 \\repeat Hi\\end{document}'
  const running = fetch(`${host.url}/compile`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ source: slow, passes: 1 }),
  })
  await untilCompiling(host)
  const exitCode = host.stop(signal)
  const { pdf } = (await (await running).json()) as { pdf: string | null }
  return { hasPdf: pdf !== null, exitCode: await exitCode }
}

/** Resolves when the service reports a running compile. */
async function untilCompiling(host: RunningHost): Promise<void> {
  await eventually(async () => (await fetch(`${host.url}/metrics`)).text(), {
    until: (metrics) => /^\w*(running|in_flight|active)\w*(?:\{[^}]*\})? [1-9]/m.test(metrics),
  })
}
