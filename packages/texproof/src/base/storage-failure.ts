import { statfs } from 'node:fs/promises'

/** Why nothing can be written. */
export type StorageFailure = 'full' | 'read-only'

/** Finds out whether an error, or one that caused it, is a full or read-only disk; null = it is another. */
export function findStorageFailure(error: unknown): StorageFailure | null {
  if (!(error instanceof Error)) return null
  const code = 'code' in error ? error.code : null
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'STORE_FULL') return 'full'
  if (code === 'EROFS' || code === 'STORE_READ_ONLY') return 'read-only'
  return findStorageFailure(error.cause)
}

/** Recognizes the same in what a program printed. */
export function readStorageFailure(output: string): StorageFailure | null {
  if (/no space left on device|disk quota exceeded/i.test(output)) return 'full'
  return /read-only file system/i.test(output) ? 'read-only' : null
}

/** The disk is full, or only the reserve is left. */
export class DiskFull extends Error {
  override readonly name = 'DiskFull'
  readonly code = 'ENOSPC'
}

/** Kept for signing in, deleting and the database. Commits, pushes and builds leave it alone. */
export const reserveBytes = 16 * 1024 * 1024

/** Bytes that may still be written below a folder without touching the reserve; negative when it is in use. */
export async function findDiskRoom(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize - reserveBytes
}

/** For a person: what happened and what to do. */
export const storageFailureWords = {
  full: 'The disk of this server is full. Nothing was changed. Tell the administrator, and try again once there is space.',
  'read-only':
    'The disk of this server is read-only. Nothing was changed. Tell the administrator, and try again once it can be written.',
} as const satisfies Record<StorageFailure, string>
