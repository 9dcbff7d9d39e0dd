import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Grace period for processes of a compile to end. */
const GRACE_MS = 10_000

/** Describes the processes and folders of a service's compiles that still exist after a grace period. */
export async function findLeftovers(servicePid: number): Promise<readonly string[]> {
  const deadline = performance.now() + GRACE_MS
  for (;;) {
    const left = [...(await processesOf(servicePid)), ...(await workspacesOf(servicePid))]
    if (left.length === 0 || performance.now() > deadline) return left
    await sleep(50)
  }
}

/** Ends processes that a case left running, so that they are not attributed to the next case. */
export async function endLeftovers(servicePid: number): Promise<void> {
  for (const { pid } of await orphansOf(servicePid)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has already ended.
    }
  }
}

interface Leftover {
  readonly pid: number
  readonly name: string
}

async function processesOf(servicePid: number): Promise<readonly string[]> {
  const children = (await listProcesses()).filter((process) => process.parent === servicePid)
  return [...children, ...(await orphansOf(servicePid))].map(({ pid, name }) => `process ${pid} ${name}`)
}

/**
 * A daemon is a child of init; the path of its workspace, in its environment or the environment of its bubblewrap, identifies the
 * service.
 */
async function orphansOf(servicePid: number): Promise<readonly Leftover[]> {
  const workspace = new RegExp(`-${servicePid}-\\d+-\\w+/(?:compile|tmp)`)
  const orphans: Leftover[] = []
  for (const process of await listProcesses()) {
    if (process.parent !== 1) continue
    const texts = await Promise.all(
      ['environ', 'cmdline'].map((file) => readFile(`/proc/${process.pid}/${file}`, 'latin1').catch(() => '')),
    )
    if (texts.some((text) => workspace.test(text))) orphans.push(process)
  }
  return orphans
}

async function listProcesses(): Promise<readonly (Leftover & { readonly parent: number })[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)))
  return stats.flatMap((stat, index) => {
    if (stat === null) return []
    const close = stat.lastIndexOf(')')
    const parent = Number(stat.slice(close + 2).split(' ')[1])
    return [{ pid: Number(pids[index]), name: stat.slice(stat.indexOf('(') + 1, close), parent }]
  })
}

async function workspacesOf(servicePid: number): Promise<readonly string[]> {
  const root = join(tmpdir(), `platex-${process.getuid?.() ?? 'user'}`, 'work')
  const names = await readdir(root).catch(() => [])
  return names.filter((name) => name.split('-')[1] === String(servicePid)).map((name) => `workspace ${name}`)
}
