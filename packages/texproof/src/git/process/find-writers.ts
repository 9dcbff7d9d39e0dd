import { readdir, readFile, readlink } from 'node:fs/promises'

/**
 * Finds the repositories that a git process may be writing to: its arguments or working directory name the repository.
 * The result is a snapshot, for any number of repositories. Long-lived readers hold no locks and do not count.
 */
export async function findWriters(): Promise<(gitDir: string) => boolean> {
  const places: string[] = []
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue
    const command = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '') // The process has ended.
    if (!/git/.test(command) || /\0(?:cat-file|upload-pack)\0/.test(command)) continue
    // Ended, or of another user, who cannot write here.
    const folder = await readlink(`/proc/${pid}/cwd`, 'latin1').catch(() => '')
    places.push(`${command.replaceAll('\0', '\n')}\n${folder}/`)
  }
  return (gitDir) => {
    const name = Buffer.from(gitDir).toString('latin1')
    return places.some((place) => place.includes(`${name}\n`) || place.includes(`${name}/`))
  }
}
