import { statfs } from 'node:fs/promises'

/** Why data cannot be written. */
export type StorageFailure = 'full' | 'read-only'

/** Whether an error, or its cause, is a full or read-only disk; null = another error. */
export function findStorageFailure(error: unknown): StorageFailure | null {
  if (!(error instanceof Error)) return null
  const code = 'code' in error ? error.code : null
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'STORE_FULL') return 'full'
  if (code === 'EROFS' || code === 'STORE_READ_ONLY') return 'read-only'
  return findStorageFailure(error.cause)
}

/** Detects the same in the output of a program. */
export function readStorageFailure(output: string): StorageFailure | null {
  if (/no space left on device|out of diskspace|disk quota exceeded/i.test(output)) return 'full'
  return /read-only file system/i.test(output) ? 'read-only' : null
}

/** The disk is full, or only the reserve is left. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull'
  readonly code = 'ENOSPC'

  constructor(work: string) {
    super(`the disk is full: ${work}`)
  }
}

/** Reserved for signing in, deleting and the database. Commits, pushes and builds do not use it. */
export const reserveBytes = 16 * 1024 * 1024

/** Bytes that may still be written to a folder without using the reserve; negative if it is in use. */
export async function findDiskRoom(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize - reserveBytes
}

/** Messages for users: what happened and what to do. */
export const storageFailureWords = {
  full: 'The disk of this server is full. Nothing was changed. Contact the administrator, and try again when there is free space.',
  'read-only':
    'The disk of this server is read-only. Nothing was changed. Contact the administrator, and try again when it is writable.',
} as const satisfies Record<StorageFailure, string>
