/**
 * Files of builds that the next build and the build pages use: auxiliary files, logs of passes and SyncTeX data.
 *
 * All of them can be recreated, so a file that cannot be read counts as absent, and nothing is synced to disk. One
 * compressed file per build keeps the number of files small; V8's serialization stores bytes unencoded.
 */
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { RawPassLog } from '@texproof/platex'

import { boundPassLogs } from '../../domain/build/bound-pass-logs.ts'
import type { Build } from '../../domain/build.ts'
import { packValue, readCacheFile, writeCacheFile } from './cache-file.ts'

/** Auxiliary files are kept for the next build only up to this size: above it, reading them costs more than a pass. */
const MAX_AUX_BYTES = 64 * 1024 * 1024

export interface BuildCache {
  /** Auxiliary files of the last converged build of the same document and engine: of the same ref, else of any ref. */
  findAux(build: Build): Promise<ReadonlyMap<string, Uint8Array> | null>
  saveAux(build: Build, aux: ReadonlyMap<string, Uint8Array>): Promise<void>
  /** Path of the file with the logs, which may be missing. */
  passLogsPath(buildId: number): string
  savePassLogs(buildId: number, logs: readonly RawPassLog[]): Promise<void>
  removePassLogs(buildId: number): Promise<void>
  /** Removes the auxiliary files and SyncTeX data of a repository: both may come from any of its commits. */
  removeOfRepository(repositoryId: number): Promise<void>
  /**
   * Path of the file with the SyncTeX text of the newest build of the same document and tree; the file may be missing.
   */
  synctexPath(build: Build): string
  saveSynctex(build: Build, synctex: Uint8Array): Promise<void>
}

/** Opens the build cache in a folder, which may not exist yet. */
export function createBuildCache(rootDir: string): BuildCache {
  const logsPath = (buildId: number): string => join(rootDir, 'logs', String(buildId % 100), `${buildId}.br`)
  const auxPath = ({ repositoryId, rootFile, engine }: Build, ref: string): string => {
    const key = createHash('sha256').update([ref, rootFile, engine].join('\0')).digest('hex').slice(0, 32)
    return join(rootDir, 'aux', String(repositoryId), `${key}.br`)
  }
  // The key contains the tree: two trees may give the same PDF from different lines.
  const synctexPath = ({ repositoryId, treeId, rootFile, engine }: Build): string => {
    const key = createHash('sha256').update([treeId, rootFile, engine].join('\0')).digest('hex').slice(0, 32)
    return join(rootDir, 'synctex', String(repositoryId), `${key}.br`)
  }
  return {
    async findAux(build) {
      const kept = (await readAux(auxPath(build, build.ref))) ?? (await readAux(auxPath(build, ANY_REF)))
      return kept instanceof Map ? kept : null
    },

    async saveAux(build, aux) {
      const sizeBytes = [...aux.values()].reduce((sum, bytes) => sum + bytes.byteLength, 0)
      if (aux.size === 0 || sizeBytes > MAX_AUX_BYTES) return
      const packed = await packValue(aux)
      await Promise.all([
        writeCacheFile(auxPath(build, build.ref), packed),
        writeCacheFile(auxPath(build, ANY_REF), packed),
      ])
    },

    passLogsPath: logsPath,

    async savePassLogs(buildId, logs) {
      await writeCacheFile(logsPath(buildId), await packValue(boundPassLogs(logs)))
    },

    removePassLogs: (buildId) => rm(logsPath(buildId), { force: true }),

    async removeOfRepository(repositoryId) {
      for (const kind of ['aux', 'synctex'])
        await rm(join(rootDir, kind, String(repositoryId)), { recursive: true, force: true })
    },

    synctexPath,

    async saveSynctex(build, synctex) {
      await writeCacheFile(synctexPath(build), await packValue(synctex))
    },
  }
}

const ANY_REF = ''

function readAux(path: string): Promise<unknown> {
  return readCacheFile(path, { maxBytes: 2 * MAX_AUX_BYTES })
}
