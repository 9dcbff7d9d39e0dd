import { access, constants, stat, statfs } from 'node:fs/promises'

import { reserveBytes } from '../../base/storage-failure.ts'
import { commandFor } from '../../config/command-line.ts'
import { explainForeignOwner } from '../../config/foreign-owner.ts'
import type { Config } from '../../config/read-config.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'
import { quote } from '../../domain/text/shell-word.ts'
import { remountRemedy } from '../data-dir.ts'
import type { Finding } from './finding.ts'

const lowDiskBytes = 2 * 1024 ** 3

/** Checks that the data directory exists, is private and writable, and has free space. */
export async function checkDataDir({ dataDir }: Config): Promise<Finding[]> {
  const check = 'data'
  const stats = await stat(dataDir).catch(() => null) // Absent is a finding, not a failure.
  if (stats === null)
    return [
      {
        check,
        state: 'weak',
        message: `${dataDir} does not exist yet`,
        remedy: `Create it: ${commandFor(dataDir, 'serve')}`,
      },
    ]
  const denial = await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code ?? 'unknown',
  )
  if (denial === 'EROFS')
    return [{ check, state: 'broken', message: `${dataDir} is on a read-only file system`, remedy: remountRemedy }]
  const foreign = explainForeignOwner(dataDir, stats.uid)
  if (denial !== null || !stats.isDirectory()) {
    const uid = process.getuid?.() ?? 'USER'
    return [
      {
        check,
        state: 'broken',
        message: foreign?.problem ?? `${dataDir} is not writable by uid ${uid}`,
        remedy: foreign?.remedy ?? `chown -R ${uid} ${quote(dataDir)}`,
      },
    ]
  }
  const { bavail, bsize } = await statfs(dataDir)
  const freeBytes = bavail * bsize
  const isOpenToOthers = (stats.mode & 0o077) !== 0
  return [
    {
      check,
      ...checkFreeSpace(freeBytes),
      message: `${dataDir}, ${formatBytes(freeBytes)} free`,
    },
    ...(foreign === null ? [] : [{ check, state: 'weak' as const, message: foreign.problem, remedy: foreign.remedy }]),
    ...(isOpenToOthers
      ? [
          {
            check,
            state: 'broken' as const,
            message: 'other users of this machine can read it: the server refuses to start',
            remedy: `chmod 700 ${quote(dataDir)}`,
          },
        ]
      : []),
  ]
}

function checkFreeSpace(freeBytes: number): Pick<Finding, 'state' | 'remedy'> {
  if (freeBytes < reserveBytes)
    return { state: 'broken', remedy: 'Free up disk space: pushes, commits and builds are refused.' }
  return freeBytes < lowDiskBytes ? { state: 'weak', remedy: 'Free up disk space.' } : { state: 'good', remedy: null }
}
