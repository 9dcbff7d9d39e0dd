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
