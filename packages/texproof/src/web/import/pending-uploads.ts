/**
 * Uploads that wait for their users to confirm an import, each for some minutes. They are stored in files, so that
 * they do not use memory; housekeeping removes the files of processes that have ended.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'

import { whenAbsent } from '../../base/absent.ts'
import type { MissingPackage } from '../../operations/import/find-missing-packages.ts'
import type { ArchiveSummary, ImportSource } from '../../operations/import/read-archive.ts'
import { temporaryFolder } from '../../operations/temporary-files.ts'
import type { Session } from '../../store/users/sessions.ts'

/** An upload and what it contains. */
export interface PendingUpload {
  readonly fileName: string
  readonly summary: ArchiveSummary
  readonly missing: readonly MissingPackage[]
}

/** Uploads by id, visible only to the session that sent them. */
export interface PendingUploads {
  /**
   * Keeps an upload, in place of an earlier one of the session and of the oldest of a user who has several. Returns its
   * id; null if too many users wait.
   */
  add(session: Pick<Session, 'id' | 'userId'>, source: ImportSource, upload: PendingUpload): Promise<string | null>
  find(sessionId: number, id: string): PendingUpload | null
  /** The uploaded source; null if it has expired. */
  read(sessionId: number, id: string): Promise<ImportSource | null>
  remove(sessionId: number, id: string): Promise<void>
}

/** How long an upload waits. */
export const uploadKeptMs = 15 * 60_000
/** Maximum number of pending uploads: 0.8 GB with the largest uploads. */
const maxUploads = 32
/** Maximum number of pending uploads of one user, in all sessions. */
const maxUploadsOfUser = 3

interface Kept extends PendingUpload {
  readonly sessionId: number
  readonly userId: string
  /** null = the file is being written. */
  readonly timer: NodeJS.Timeout | null
}

/** Opens the uploads of this process. */
export function openPendingUploads(dataDir: string, { keptMs = uploadKeptMs } = {}): PendingUploads {
  const folder = temporaryFolder(dataDir, 'imports')
  const kept = new Map<string, Kept>()
  const own = (sessionId: number, id: string): Kept | null => {
    const upload = kept.get(id)
    return upload?.sessionId === sessionId ? upload : null
  }
  const drop = async (id: string): Promise<void> => {
    clearTimeout(kept.get(id)?.timer ?? undefined)
    kept.delete(id)
    await rm(join(folder, id), { force: true })
  }
  return {
    async add({ id: sessionId, userId }, source, upload) {
      for (const [id, earlier] of kept) if (earlier.sessionId === sessionId) await drop(id)
      const older = [...kept].filter(([, earlier]) => earlier.userId === userId).map(([id]) => id)
      for (const id of older.slice(0, Math.max(0, older.length + 1 - maxUploadsOfUser))) await drop(id)
      if (kept.size >= maxUploads) return null
      const id = randomBytes(16).toString('hex')
      kept.set(id, { ...upload, sessionId, userId, timer: null })
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeFile(join(folder, id), serialize(source), { mode: 0o600 })
      } catch (error) {
        await drop(id)
        throw error
      }
      // The time starts after the file is written: a file written after its removal would stay.
      // If the file cannot be removed then, housekeeping removes it.
      const timer = setTimeout(() => void drop(id).catch(() => null), keptMs).unref()
      kept.set(id, { ...upload, sessionId, userId, timer })
      return id
    },
    find: (sessionId, id) => own(sessionId, id),
    async read(sessionId, id) {
      if (own(sessionId, id) === null) return null
      const bytes = await readFile(join(folder, id)).catch(whenAbsent(null)) // absent: expired in the meantime
      return bytes && (deserialize(bytes) as ImportSource)
    },
    async remove(sessionId, id) {
      if (own(sessionId, id) !== null) await drop(id)
    },
  }
}
