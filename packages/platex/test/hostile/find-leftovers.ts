import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long what a compile started may take to be gone. */
const GRACE_MS = 2500

/** Set for every program of a compile, in its environment or on the command line of its bubblewrap; for nothing else. */
const MARK = 'half_error_line'

/** Processes and folders of compiles of one service that are still there after a grace period, in words. */
export async function findLeftovers(servicePid: number): Promise<readonly string[]> {
  const deadline = performance.now() + GRACE_MS
  for (;;) {
    const left = [...(await processesOf(servicePid)), ...(await workspacesOf(servicePid))]
    if (left.length === 0 || performance.now() > deadline) return left
    await sleep(50)
  }
}

async function processesOf(servicePid: number): Promise<readonly string[]> {
  const found: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
    if (stat === null) continue
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')
    // A daemon belongs to init; the mark is how it is told from the rest of the host.
    const isOrphan = parent === 1 && (environment.includes(MARK) || commandLine.includes(MARK))
    if (parent === servicePid || isOrphan) found.push(`process ${pid} ${stat.slice(0, 60)}`)
  }
  return found
}

async function workspacesOf(servicePid: number): Promise<readonly string[]> {
  const root = join(tmpdir(), `platex-${process.getuid?.() ?? 'user'}`, 'work')
  const names = await readdir(root).catch(() => [])
  return names.filter((name) => name.split('-')[1] === String(servicePid)).map((name) => `workspace ${name}`)
}
