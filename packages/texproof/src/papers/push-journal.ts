/**
 * Notes of pushes under way. A push moves refs in git and only then are its builds in the database; a crash between
 * the two would leave a branch without its build for ever. The note is written before git may move a ref and erased
 * once the builds are queued, so what the journal still holds at the next start is exactly what has to be looked at.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface PushJournal {
  /** Notes a push; the answer erases the note. */
  note(repositoryId: number): Promise<() => Promise<void>>
  /** Repositories with notes that an earlier process left behind, each once, and how to erase those notes. */
  readonly leftOver: readonly { readonly repositoryId: number; readonly erase: () => Promise<void> }[]
}

/** Opens the journal in a folder that need not exist. */
export async function openPushJournal(rootDir: string): Promise<PushJournal> {
  await mkdir(rootDir, { recursive: true })
  const left = Map.groupBy(await readdir(rootDir), (name) => Number.parseInt(name, 10))
  return {
    async note(repositoryId) {
      const path = join(rootDir, `${repositoryId}-${randomUUID()}`)
      await writeFile(path, '', { flag: 'wx' })
      return () => rm(path, { force: true })
    },
    leftOver: [...left].map(([repositoryId, names]) => ({
      repositoryId,
      erase: async () => {
        await Promise.all(names.map((name) => rm(join(rootDir, name), { force: true })))
      },
    })),
  }
}
