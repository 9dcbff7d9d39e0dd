import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openSandbox } from './open-sandbox.ts'
import type { RunEnd, Sandbox } from './types.ts'
import { eventually } from '../../test/support/eventually.ts'

const TIMEOUT_MS = 30_000
const MIB = 1024 * 1024

let sandbox: Sandbox
let workspaceDir: string

before(async () => {
  sandbox = await openSandbox('required')
})

beforeEach(async () => {
  workspaceDir = await sandbox.createWorkspace()
})

afterEach(() => sandbox.removeWorkspace(workspaceDir))

async function runShell(script: string): Promise<{ readonly end: RunEnd; readonly stdout: string }> {
  const { end, stdout } = await sandbox.run(
    { program: 'sh', args: ['-c', script] },
    { workspaceDir, timeoutMs: TIMEOUT_MS },
  )
  return { end, stdout: Buffer.from(stdout).toString('utf8') }
}

async function runPerl(script: string): Promise<{ readonly end: RunEnd; readonly stdout: string }> {
  await writeFile(join(workspaceDir, 'script.pl'), script)
  return runShell('perl script.pl 2>/dev/null')
}

describe('a run', () => {
  test('ends as exited with the exit code of the program', async () => {
    assert.deepEqual((await runShell('exit 7')).end, { kind: 'exited', exitCode: 7 })
  })

  test('ends as not-found for a program that is not installed', async () => {
    const report = await sandbox.run({ program: 'no-such-engine', args: [] }, { workspaceDir, timeoutMs: TIMEOUT_MS })
    assert.deepEqual(report.end, { kind: 'not-found' })
  })

  test('ends as timed-out at its deadline', async () => {
    const report = await sandbox.run({ program: 'sleep', args: ['60'] }, { workspaceDir, timeoutMs: 50 })
    assert.deepEqual(report.end, { kind: 'timed-out' })
  })

  test('ends as timed-out without starting when no time is left', async () => {
    const report = await sandbox.run({ program: 'touch', args: ['x'] }, { workspaceDir, timeoutMs: 0 })
    assert.deepEqual([report.end, await readdir(workspaceDir)], [{ kind: 'timed-out' }, []])
  })

  test('ends as aborted when the caller aborts', async () => {
    const controller = new AbortController()
    const options = { workspaceDir, timeoutMs: TIMEOUT_MS, signal: controller.signal }
    const running = sandbox.run(
      { program: 'sh', args: ['-c', 'echo started; sleep 60'] },
      {
        ...options,
        onStdout: () => controller.abort(),
      },
    )
    assert.deepEqual((await running).end, { kind: 'aborted' })
  })

  test('ends as killed when a signal ends the program', async () => {
    assert.deepEqual((await runShell('kill -SEGV $$')).end, { kind: 'killed', signal: 'SIGSEGV' })
  })

  test('keeps the first 4 MiB of the output', async () => {
    const { stdout } = await runPerl('print "x" x 1_000_000 for 1 .. 6;')
    assert.equal(stdout.length, 4 * 1024 * 1024)
  })

  test('gives its command an environment without variables of the host', async () => {
    process.env['PLATEX_TEST_SECRET'] = 'secret'
    const { stdout } = await runShell('env | cut -d= -f1 | sort')
    delete process.env['PLATEX_TEST_SECRET']
    const added = new Set(['PWD', 'OLDPWD', 'SHLVL', '_'])
    assert.deepEqual(
      stdout.split('\n').filter((name) => name !== '' && !added.has(name)),
      [
        'GLIBC_TUNABLES',
        'HOME',
        'LANG',
        'LC_ALL',
        'MKTEXTEX',
        'PATH',
        'PLATEX_SUPPLEMENT',
        'TECTONIC_CACHE_DIR',
        'TEXFORMATS',
        'TEXINPUTS',
        'TEXMFCACHE',
        'TEXMFCONFIG',
        'TEXMFHOME',
        'TEXMFVAR',
        'TMPDIR',
        'VARTEXFONTS',
        'XDG_CACHE_HOME',
        'error_line',
        'half_error_line',
        'max_print_line',
        'openin_any',
        'openout_any',
        'shell_escape',
      ],
    )
  })

  test('sees no home, accounts, processes or host folders', async () => {
    assert.equal((await runShell('ls -d /home /root /proc /sys /etc/passwd /var/log /opt 2>/dev/null')).stdout, '')
  })

  test('leaves no process running when its program ends before its children', async () => {
    await runShell('(sleep 4242 &) ; exit 0')
    assert.deepEqual(await runningWith('sleep\x004242'), [])
  })
})

describe('a limit', () => {
  const cases: readonly { readonly what: string; readonly script: string; readonly end: RunEnd }[] = [
    {
      what: 'memory of all processes together',
      script: 'for (1 .. 3) { fork or do { my $x = "x" x 7e8; sleep 20; exit } } wait for 1 .. 3',
      end: { kind: 'limit-exceeded', limit: 'memory' },
    },
    {
      what: 'disk space over several files',
      script: 'for my $n (1 .. 9) { open my $f, ">", $n; print $f "x" x 1e6 for 1 .. 60; close $f } sleep 20',
      end: { kind: 'limit-exceeded', limit: 'disk' },
    },
    {
      what: 'disk space of files without a name',
      script: 'for my $n (1 .. 9) { open $f[$n], ">", $n; unlink $n; print {$f[$n]} "x" x 1e6 for 1 .. 60 } sleep 20',
      end: { kind: 'limit-exceeded', limit: 'disk' },
    },
    {
      what: 'number of files',
      script: 'for my $n (1 .. 5000) { open my $f, ">", $n } sleep 20',
      end: { kind: 'limit-exceeded', limit: 'entries' },
    },
    {
      what: 'disk space of scratch files',
      script: 'for my $n (1 .. 9) { open my $f, ">", "/tmp/$n"; print $f "x" x 1e6 for 1 .. 60; close $f } sleep 20',
      end: { kind: 'limit-exceeded', limit: 'disk' },
    },
    {
      what: 'disk space of a mapped file',
      script: 'kill BUS => $$; sleep 20',
      end: { kind: 'limit-exceeded', limit: 'disk' },
    },
    {
      what: 'output',
      script: 'while (1) { print "x" x 1e6 }',
      end: { kind: 'limit-exceeded', limit: 'output' },
    },
    {
      what: 'size of one file',
      script: 'open my $f, ">", "f"; while (1) { print $f "x" x 1e6 }',
      end: { kind: 'limit-exceeded', limit: 'file-size' },
    },
  ]
  for (const { what, script, end } of cases) {
    test(`ends a run that exceeds it: ${what}`, async () => {
      assert.deepEqual((await runPerl(script)).end, end)
    })
  }

  const watchedCases: readonly { readonly what: string; readonly script: string; readonly end: RunEnd }[] = [
    {
      what: 'disk space of files without a name',
      script: 'for my $n (1 .. 9) { open $f[$n], ">", $n; unlink $n; print {$f[$n]} "x" x 1e6 for 1 .. 60 } sleep 20',
      end: { kind: 'limit-exceeded', limit: 'disk' },
    },
    {
      what: 'depth of folders',
      script: 'for (1 .. 100) { mkdir "d"; chdir "d" } sleep 20',
      end: { kind: 'limit-exceeded', limit: 'entries' },
    },
  ]
  for (const { what, script, end } of watchedCases) {
    test(`ends a run in a folder on disk that exceeds it: ${what}`, async () => {
      const unconfined = await openSandbox('none')
      const folder = await unconfined.createWorkspace()
      await writeFile(join(folder, 'script.sh'), `perl -e '${script}' 2>/dev/null`)
      const command = { program: 'sh', args: ['script.sh'] }
      const report = await unconfined.run(command, { workspaceDir: folder, timeoutMs: TIMEOUT_MS })
      await unconfined.removeWorkspace(folder)
      assert.deepEqual(report.end, end)
    })
  }

  test('stops a fork bomb at 64 processes of the run, independently of other runs', async () => {
    const { stdout } = await runPerl(
      '$n = 0; while (1) { my $p = fork; last if !defined $p; $n++, next if $p; sleep 20; exit } print $n',
    )
    assert.equal(Number(stdout) <= 64 && Number(stdout) > 50, true)
  })
})

describe('a run while the main thread is busy', () => {
  /** Starts a script and blocks this thread for a while. */
  async function runBlocked(script: string, timeoutMs: number): Promise<RunEnd> {
    await writeFile(join(workspaceDir, 'script.pl'), script)
    const running = sandbox.run({ program: 'perl', args: ['script.pl'] }, { workspaceDir, timeoutMs })
    // The run starts after some promises; then this thread is blocked.
    await sleep(200)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000)
    return (await running).end
  }

  test('is killed at its deadline', async () => {
    const end = await runBlocked('sleep 2; open F, ">", "late"', 400)
    assert.deepEqual([end, await readdir(workspaceDir)], [{ kind: 'timed-out' }, ['script.pl']])
  })

  test('is killed when it exceeds its memory limit', async () => {
    const script = 'for (1 .. 3) { fork or do { my $x = "x" x 7e8; open F, ">", $$; sleep 60; exit } } wait for 1 .. 3'
    const end = await runBlocked(script, TIMEOUT_MS)
    const finished = (await readdir(workspaceDir)).length - 1
    assert.deepEqual([end, finished < 3], [{ kind: 'limit-exceeded', limit: 'memory' }, true])
  })
})

describe('a workspace', () => {
  test('has room for its inputs and for results', async () => {
    const largeDir = await sandbox.createWorkspace({ bytes: 240 * MIB, entries: 300 })
    for (const name of ['1', '2', '3', '4']) await writeFile(join(largeDir, name), Buffer.alloc(60 * MIB))
    for (let count = 0; count < 296; count += 1) await writeFile(join(largeDir, `f${count}`), '')
    const script = 'for my $n (1 .. 3900) { open my $f, ">", "r$n" or die } open my $f, ">", "r"; print $f "x" x 6e7'
    const { end } = await sandbox.run(
      { program: 'perl', args: ['-e', script] },
      { workspaceDir: largeDir, timeoutMs: TIMEOUT_MS },
    )
    await sandbox.removeWorkspace(largeDir)
    assert.deepEqual(end, { kind: 'exited', exitCode: 0 })
  })

  test('leaves neither a process nor a folder behind when its service is killed', async () => {
    const script = fileURLToPath(new URL('../../test/support/hold-workspace.ts', import.meta.url))
    const service = spawn(
      process.execPath,
      [...process.execArgv.filter((flag) => !flag.startsWith('--test')), script],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    await once(service.stdout, 'data')
    // The shell may print its line before its child runs sleep.
    const before = await eventually(() => runningWith('sleep\x004243'), { until: (running) => running.length > 0 })
    service.kill('SIGKILL')
    await once(service, 'exit')
    await eventually(() => runningWith('sleep\x004243'), { until: (running) => running.length === 0 })
    const workRoot = join(tmpdir(), `platex-${process.getuid?.() ?? 'user'}`, 'work')
    const folders = (await readdir(workRoot)).filter((name) => name.split('-')[1] === String(service.pid))
    assert.deepEqual([before.length, folders], [1, []])
  })
})

describe('the kinds of sandbox', () => {
  let unconfined: Sandbox

  before(async () => {
    unconfined = await openSandbox('none')
  })

  test('required is confined and reports no weakness', () => {
    assert.deepEqual([sandbox.kind, sandbox.weakness], ['bubblewrap', null])
  })

  test('none reports what it lacks', () => {
    assert.deepEqual([unconfined.kind, unconfined.weakness?.code], ['none', 'SWITCHED_OFF'])
  })

  test('every kind compiles', async () => {
    for (const kind of [sandbox, unconfined]) {
      const folder = await kind.createWorkspace()
      await writeFile(join(folder, 'main.tex'), String.raw`\documentclass{article}\begin{document}x\end{document}`)
      const command = { program: 'pdflatex', args: ['-interaction=nonstopmode', 'main.tex'] }
      const { end } = await kind.run(command, { workspaceDir: folder, timeoutMs: TIMEOUT_MS })
      const pdf = await kind.readResult(folder, 'main.pdf', 1_000_000)
      await kind.removeWorkspace(folder)
      assert.deepEqual(
        [end, Buffer.from(pdf ?? []).toString('latin1', 0, 5)],
        [{ kind: 'exited', exitCode: 0 }, '%PDF-'],
      )
    }
  })
})

/** Command lines of running processes that contain the text. */
async function runningWith(text: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(text))
}
