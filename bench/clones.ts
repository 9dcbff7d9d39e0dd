/** Memory of a server that has sent four clones of 50 MB at once, compared with its memory before. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { startHost, type RunningHost } from '../packages/texproof/test/support/hosts/start-host.ts'
import { runGit } from './git/run-git.ts'
import { goalLine } from './goals/goal-line.ts'
import { storeResults } from './goals/store-results.ts'

const CLONES = 4
const SIZE_BYTES = 50 * 1024 * 1024
const GOAL = 1.2
/** Time after which the server is idle again. */
const REST_MS = 20_000

/** Measures, prints, and stores the results in bench/results. */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'texproof-clones-'))
  try {
    const url = await fillHost(folder)
    const host = await startHost({ dataDir: join(folder, 'data') })
    try {
      await measure(host, { url: url(host.port), folder })
    } finally {
      await host.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(host: RunningHost, { url, folder }: { readonly url: string; readonly folder: string }) {
  // One small request loads the code; its memory does not count as memory of the clones.
  await runGit(['ls-remote', url])
  await sleep(REST_MS)
  const idleMiB = await readMemory(host, 'VmRSS')
  const clones = Array.from({ length: CLONES }, (_, index) =>
    runGit(['clone', '--quiet', '--bare', url, join(folder, `clone-${index}`)]),
  )
  await Promise.all(clones)
  const peakMiB = await readMemory(host, 'VmHWM')
  await sleep(REST_MS)
  const afterMiB = await readMemory(host, 'VmRSS')
  console.log(`memory in MiB: idle ${idleMiB.toFixed(0)}, peak ${peakMiB.toFixed(0)}, after ${afterMiB.toFixed(0)}`)
  console.log(goalLine('clones-memory-growth', afterMiB / idleMiB, { wanted: GOAL }))
  await storeResults('clones', { clones: CLONES, sizeBytes: SIZE_BYTES, idleMiB, peakMiB, afterMiB })
}

/** Pushes a file that git cannot compress, and stops the server. Returns the address of the repository. */
async function fillHost(folder: string): Promise<(port: number) => string> {
  const source = join(folder, 'source')
  await runGit(['init', '--quiet', '--initial-branch=main', source])
  await writeFile(join(source, 'data.bin'), randomBytes(SIZE_BYTES))
  await runGit(['-C', source, 'add', '--all'])
  await runGit(['-C', source, 'commit', '--quiet', '--message', 'Add data'])
  const dataDir = join(folder, 'data')
  const host = await startHost({ dataDir, env: { TEXPROOF_PUSH_TO_CREATE: 'true' } })
  const token = await host.makeToken('alice')
  const url = (port: number): string => `http://git:${token}@127.0.0.1:${port}/alice/data.git`
  await runGit(['-C', source, 'push', '--quiet', url(host.port), 'main']).finally(() => host.stop())
  return url
}

async function readMemory({ pid }: RunningHost, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? Number.NaN) / 1024
}
