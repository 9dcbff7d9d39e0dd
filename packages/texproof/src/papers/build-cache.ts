/**
 * What builds leave behind for the next one and for curious readers: aux files, transcripts of passes and SyncTeX data.
 *
 * All of it can be made again, so a file that cannot be read is a file that is not there, and nothing is synced.
 * One compressed file a build keeps the number of files small; V8's own serialisation carries bytes as bytes.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'

import type { RawPassLog } from '@texproof/platex'

import type { Build } from '../domain/build.ts'

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }

/** Aux files seed the next build only up to this size: beyond, reading them costs more than a pass. */
const MAX_AUX_BYTES = 64 * 1024 * 1024

export interface BuildCache {
  /** Aux files of the last converged build of the same document and engine: of the same ref, else of any. */
  findAux(build: Build): Promise<ReadonlyMap<string, Uint8Array> | null>
  saveAux(build: Build, aux: ReadonlyMap<string, Uint8Array>): Promise<void>
  findPassLogs(buildId: number): Promise<readonly RawPassLog[] | null>
  savePassLogs(buildId: number, logs: readonly RawPassLog[]): Promise<void>
  removePassLogs(buildId: number): Promise<void>
  /** SyncTeX text of the newest build of the same document and tree, with paths relative to the tree. */
  findSynctex(build: Build): Promise<Uint8Array | null>
  saveSynctex(build: Build, synctex: Uint8Array): Promise<void>
}

/** Opens the build cache in a folder that need not exist. */
export function createBuildCache(rootDir: string): BuildCache {
  const logsPath = (buildId: number): string => join(rootDir, 'logs', String(buildId % 100), `${buildId}.br`)
  const auxPath = ({ repositoryId, rootFile, engine }: Build, ref: string): string => {
    const key = createHash('sha256').update([ref, rootFile, engine].join('\0')).digest('hex').slice(0, 32)
    return join(rootDir, 'aux', String(repositoryId), `${key}.br`)
  }
  // By the tree: two trees may give the same PDF from other lines.
  const synctexPath = ({ repositoryId, treeId, rootFile, engine }: Build): string => {
    const key = createHash('sha256').update([treeId, rootFile, engine].join('\0')).digest('hex').slice(0, 32)
    return join(rootDir, 'synctex', String(repositoryId), `${key}.br`)
  }
  return {
    async findAux(build) {
      const kept = (await read(auxPath(build, build.ref))) ?? (await read(auxPath(build, ANY_REF)))
      return kept instanceof Map ? kept : null
    },

    async saveAux(build, aux) {
      const sizeBytes = [...aux.values()].reduce((sum, bytes) => sum + bytes.byteLength, 0)
      if (aux.size === 0 || sizeBytes > MAX_AUX_BYTES) return
      const packed = await pack(aux)
      await Promise.all([write(auxPath(build, build.ref), packed), write(auxPath(build, ANY_REF), packed)])
    },

    async findPassLogs(buildId) {
      const kept = await read(logsPath(buildId))
      return Array.isArray(kept) ? kept : null
    },

    async savePassLogs(buildId, logs) {
      await write(logsPath(buildId), await pack(logs))
    },

    removePassLogs: (buildId) => rm(logsPath(buildId), { force: true }),

    async findSynctex(build) {
      const kept = await read(synctexPath(build))
      return kept instanceof Uint8Array ? kept : null
    },

    async saveSynctex(build, synctex) {
      await write(synctexPath(build), await pack(synctex))
    },
  }
}

const ANY_REF = ''

async function pack(value: unknown): Promise<Buffer> {
  return compress(serialize(value), QUICK)
}

async function read(path: string): Promise<unknown> {
  try {
    return deserialize(await decompress(await readFile(path)))
  } catch {
    return null // absent, half-written or of another runtime: the cache does not have it
  }
}

async function write(path: string, packed: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${randomUUID()}.part`
  try {
    await writeFile(draft, packed, { flag: 'wx' })
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}
