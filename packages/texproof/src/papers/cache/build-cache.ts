/**
 * Files of builds that the next build and the build pages use: auxiliary files, logs of passes and SyncTeX data.
 *
 * All of them can be recreated, so a file that cannot be read counts as absent, and nothing is synced to disk. One
 * compressed file per build keeps the number of files small; V8's serialization stores bytes unencoded.
 */
import { createHash } from 'node:crypto'
import { access, rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { RawPassLog } from '@texproof/platex'

import { boundPassLogs } from '../../domain/build/bound-pass-logs.ts'
import type { Build } from '../../domain/build.ts'
import type { BucketCopies } from './bucket-copies.ts'
import { packValue, readCacheFile, writeCacheFile } from './cache-file.ts'

/** Auxiliary files are kept for the next build only up to this size: above it, reading them costs more than a pass. */
const MAX_AUX_BYTES = 64 * 1024 * 1024

export interface BuildCache {
  /** Auxiliary files of the last converged build of the same document and engine: of the same ref, else of any ref. */
  findAux(build: Build): Promise<ReadonlyMap<string, Uint8Array> | null>
  saveAux(build: Build, aux: ReadonlyMap<string, Uint8Array>): Promise<void>
  /** Path of the file with the logs, fetched from the bucket if necessary; the file may be missing. */
  findPassLogs(buildId: number): Promise<string>
  savePassLogs(buildId: number, logs: readonly RawPassLog[]): Promise<void>
  removePassLogs(buildId: number): Promise<void>
  /** Removes the auxiliary files and SyncTeX data of a repository: both may come from any of its commits. */
  removeOfRepository(repositoryId: number): Promise<void>
  /**
   * Path of the file with the SyncTeX text of the newest build of the same document and tree, fetched from the bucket
   * if necessary; null if there is none.
   */
  findSynctex(build: Build): Promise<string | null>
  saveSynctex(build: Build, synctex: Uint8Array): Promise<void>
}

/**
 * Opens the build cache in a folder, which may not exist yet. With `copies`, a bucket keeps logs and SyncTeX data too:
 * auxiliary files would take longer to fetch than to make.
 */
export function createBuildCache(rootDir: string, copies: BucketCopies | null = null): BuildCache {
  const bring = async (path: string): Promise<boolean> => {
    if (await isThere(path)) return true
    // An outage of the bucket counts as absence, like every fault of the cache.
    return copies === null ? false : copies.fetch(path).catch(() => false)
  }
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

    async findPassLogs(buildId) {
      const path = logsPath(buildId)
      await bring(path)
      return path
    },

    async savePassLogs(buildId, logs) {
      const path = logsPath(buildId)
      await writeCacheFile(path, await packValue(boundPassLogs(logs)))
      await copies?.save(path)
    },

    async removePassLogs(buildId) {
      const path = logsPath(buildId)
      await rm(path, { force: true })
      await copies?.remove(path)
    },

    async removeOfRepository(repositoryId) {
      for (const kind of ['aux', 'synctex'])
        await rm(join(rootDir, kind, String(repositoryId)), { recursive: true, force: true })
      await copies?.removeFolder(join(rootDir, 'synctex', String(repositoryId)))
    },

    async findSynctex(build) {
      const path = synctexPath(build)
      return (await bring(path)) ? path : null
    },

    async saveSynctex(build, synctex) {
      const path = synctexPath(build)
      await writeCacheFile(path, await packValue(synctex))
      await copies?.save(path)
    },
  }
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

const ANY_REF = ''

function readAux(path: string): Promise<unknown> {
  return readCacheFile(path, { maxBytes: 2 * MAX_AUX_BYTES })
}
