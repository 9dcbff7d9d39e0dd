import { readFile, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Leftovers of compiles of this process: workspaces, whose names contain the process id, and programs that descend from
 * this process or use such a workspace.
 */
export async function listLeftovers(): Promise<readonly string[]> {
  return [...(await listWorkspaces()), ...(await listPrograms())]
}

async function listWorkspaces(): Promise<string[]> {
  const entries = await readdir(tmpdir(), { withFileTypes: true })
  const roots = entries.filter((entry) => entry.isDirectory() && entry.name.startsWith('platex-'))
  // Workspaces are in the cache folder or one level below; the prepared files are too many to walk.
  const folders = roots.flatMap(({ name }) => [join(tmpdir(), name), join(tmpdir(), name, 'work')])
  const names = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])))
  return names.flat().filter((name) => new RegExp(`-${process.pid}-\\d+-\\w+$`).test(name))
}

async function listPrograms(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const programs = await Promise.all(pids.map(readProgram))
  const known = new Map(programs.filter((program) => program !== null).map((program) => [program.pid, program]))
  return [...known.values()].filter((program) => isOurs(program, known)).map((program) => program.command)
}

interface Program {
  readonly pid: number
  readonly parentPid: number
  readonly command: string
}

async function readProgram(pid: string): Promise<Program | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
    const parentPid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    return { pid: Number(pid), parentPid, command }
  } catch {
    return null // The process has ended.
  }
}

function isOurs(program: Program, known: ReadonlyMap<number, Program>): boolean {
  if (program.command.includes(`-${process.pid}-`)) return true
  for (let parent = known.get(program.parentPid); parent !== undefined; parent = known.get(parent.parentPid)) {
    if (parent.pid === process.pid) return true
  }
  return false
}
