import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { startHost } from '../../packages/texproof/test/support/hosts/start-host.ts'
import { texproofCommand } from '../../packages/texproof/test/support/programs/checkout.ts'
import { endProcess, findFreePort } from '../child-server.ts'

const node = join(import.meta.dirname, '../../scripts/pinned-node')

/** A server in its own process. */
export interface BenchServer {
  readonly origin: string
  /** Resident memory in MB; null if not measured. */
  memoryMb(): Promise<number | null>
  stop(): Promise<void>
}

/** A fixed response of a server. */
export interface FixedAnswer {
  /** Path with the leading slash. */
  readonly path: string
  readonly body: string
}

/** The API of Texproof with a data directory. */
export async function startTexproof(dataDir: string): Promise<BenchServer> {
  const script = join(import.meta.dirname, 'serve-texproof.ts')
  const child = spawn(node, [script, dataDir, 'http://papers.example.org'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const port = await nextLine(child)
  return {
    origin: `http://127.0.0.1:${port}`,
    async memoryMb() {
      child.stdin?.write('memory\n')
      return Number(await nextLine(child))
    },
    stop: () => endProcess(child),
  }
}

/** The whole server, started by the real command, with its log read by another program. */
export async function startServe(dataDir: string): Promise<BenchServer> {
  const command = [
    'sh',
    '-c',
    '"$0" serve "$@" 2>&1 | grep --line-buffered --invert-match "^{"',
    texproofCommand,
  ] as const
  const host = await startHost({ dataDir, command })
  return {
    origin: `http://127.0.0.1:${host.port}`,
    memoryMb: async () => null,
    stop: async () => void (await host.stop()),
  }
}

/** A bare `node:http` server that reads the header of the token and sends the same bytes. */
export async function startBareNode(answers: readonly FixedAnswer[]): Promise<BenchServer> {
  const child = spawn(node, [join(import.meta.dirname, 'serve-bare.ts')], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin?.write(`${JSON.stringify(answers)}\n`)
  const port = await nextLine(child)
  return { origin: `http://127.0.0.1:${port}`, memoryMb: async () => null, stop: () => endProcess(child) }
}

/** nginx with one worker that sends the same bytes from files; null if it is not installed. */
export async function startNginx(answers: readonly FixedAnswer[], folder: string): Promise<BenchServer | null> {
  const port = await findFreePort()
  await mkdir(join(folder, 'logs'), { recursive: true })
  for (const [index, { body }] of answers.entries()) await writeFile(join(folder, `${index}.json`), body)
  const locations = answers.map(({ path }, index) => `location = ${path} { alias ${join(folder, `${index}.json`)}; }`)
  // The worker of a root nginx would run as a user who cannot read our folder.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const config = `${user} daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/errors;
    events { worker_connections 256; }
    http { access_log off; keepalive_requests 1000000; etag off; sendfile on; open_file_cache max=100;
      default_type 'application/json; charset=utf-8';
      server { listen 127.0.0.1:${port};
        add_header X-Service-Media-Type 'service.v3; format=json'; add_header X-Service-Request-Id $request_id;
        ${locations.join('\n')} } }`
  await writeFile(join(folder, 'nginx.conf'), config)
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  const started = await Promise.race([sleep(500).then(() => true), failure(child)])
  if (!started) return null
  return { origin: `http://127.0.0.1:${port}`, memoryMb: async () => null, stop: () => endProcess(child) }
}

function failure(child: ChildProcess): Promise<false> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', () => resolve(false))
  })
}

function nextLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()))
    child.once('exit', () => reject(new Error('the server ended before it was ready')))
  })
}
