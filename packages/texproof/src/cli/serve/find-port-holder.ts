import { readFile, readdir, readlink } from 'node:fs/promises'
import { basename } from 'node:path'

export interface PortHolder {
  readonly pid: number
  readonly name: string
}

/** The process that listens on a TCP port, if Linux shows it to this user; null if unknown. */
export async function findPortHolder(port: number): Promise<PortHolder | null> {
  try {
    const inodes = new Set(
      (await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readListeners(path, port)))).flat(),
    )
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
    for (const pid of pids) {
      if (!(await listSockets(pid)).some((inode) => inodes.has(inode))) continue
      const program = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0', 1)[0] ?? ''
      return { pid: Number(pid), name: basename(program) }
    }
  } catch {
    // No /proc, or the process has ended: unknown.
  }
  return null
}

const listening = '0A'

/** Socket inodes of the rows `sl local_address rem_address st … inode` that listen on the port. */
async function readListeners(path: string, port: number): Promise<string[]> {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0')
  const rows = (await readFile(path, 'utf8')).split('\n').map((line) => line.trim().split(/\s+/))
  return rows.filter((row) => row[1]?.endsWith(`:${hexPort}`) && row[3] === listening).map((row) => row[9] ?? '')
}

async function listSockets(pid: string): Promise<string[]> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => []) // Another user's process shows none.
  const targets = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
  return targets.map((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? '').filter((inode) => inode !== '')
}
