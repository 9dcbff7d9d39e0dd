import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** Ids of the child processes whose command line contains a word. */
export async function listChildren(word: string): Promise<readonly string[]> {
  const children = (await readFile(`/proc/self/task/${process.pid}/children`, 'utf8')).trim().split(' ')
  const lines = await Promise.all(
    // A process that has ended has no command line.
    children.map(async (pid) => ({ pid, line: await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') })),
  )
  return lines.filter(({ line }) => line.includes(word)).map(({ pid }) => pid)
}

/** Ids of all processes of this machine whose command line or environment names a folder. */
export async function listProcessesOf(folder: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const files = pids.flatMap((pid) => ['cmdline', 'environ'].map((name) => ({ pid, path: `/proc/${pid}/${name}` })))
  const texts = await Promise.all(
    // Processes of other users are unreadable, and those that have ended have no files.
    files.map(async ({ pid, path }) => ({ pid, text: await readFile(path, 'utf8').catch(() => '') })),
  )
  return [...new Set(texts.filter(({ text }) => text.includes(folder)).map(({ pid }) => pid))]
}

/** Ids of the stopped processes that a process has started, directly or through others. */
export function listStoppedBelow(pid: number): readonly number[] {
  const processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []))
  const found: number[] = []
  const parents = [pid]
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
    const children = processes.filter((each) => each.parent === parent)
    parents.push(...children.map((child) => child.pid))
    found.push(...children.flatMap((child) => (child.state === 'T' ? [child.pid] : [])))
  }
  return found
}

/** Empty if the process has ended. */
function readProcess(
  pid: number,
): readonly { readonly pid: number; readonly state: string; readonly parent: number }[] {
  try {
    // After the name, which may contain spaces and parentheses.
    const [state = '', parent = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return [{ pid, state, parent: Number(parent) }]
  } catch {
    return [] // It has ended.
  }
}
