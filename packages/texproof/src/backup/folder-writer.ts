/**
 * Writes a backup as a folder that shares unchanged files with an earlier one by hard links. Each folder is a whole backup:
 * any of them can be deleted without harm to the others.
 *
 * Only files whose name is a hash of their content are shared: objects, packs and PDFs. What is new is read back. A file
 * that was damaged is not shared, so the next backup reads and reports it again, or has it intact.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { appendFile, copyFile, link, open, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { whenAbsent } from '../base/absent.ts'
import { makeFolderDurably, syncFolder, writeDurably } from '../base/durable-file.ts'
import { BackupError } from './backup-error.ts'
import { damagedList, isNamedAfter, sumsEntry } from './backup-entries.ts'
import { withOpenFile, type EntryWriter } from './tar-writer.ts'
import type { ObjectCheck } from './object-check.ts'

interface FolderWriterOptions {
  /** A file for the hashes, which does not exist yet. */
  readonly sumsPath: string
  /** Folder of the earlier backup; null = none. */
  readonly previous: string | null
  readonly signal?: AbortSignal | undefined
  /** Called with the number of bytes written so far. */
  readonly onWritten?: (sizeBytes: number) => void
}

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** Names of files are private as well: those of refs are the branches of private repositories. */
const folderMode = 0o700

/** Creates the writer of a folder, which does not exist yet. */
export async function openFolderWriter(folder: string, options: FolderWriterOptions): Promise<EntryWriter> {
  const { sumsPath, previous, signal, onWritten } = options
  const known = previous === null ? new Map<string, string>() : await readShareable(previous)
  const folders = new Set<string>()
  const damaged: string[] = []
  let sizeBytes = 0
  await makeFolderDurably(folder, folderMode)

  async function prepare(name: string): Promise<string> {
    const target = join(folder, name)
    if (!folders.has(dirname(target))) await makeFolderDurably(dirname(target), folderMode)
    folders.add(dirname(target))
    return target
  }

  async function write(name: string, chunks: Chunks, check?: Pick<ObjectCheck, 'update'>): Promise<void> {
    const target = await prepare(name)
    const hash = createHash('sha256')
    const file = await open(target, 'wx', 0o600)
    try {
      for await (const chunk of chunks) {
        signal?.throwIfAborted()
        hash.update(chunk)
        await check?.update(chunk)
        await file.writeFile(chunk)
        onWritten?.((sizeBytes += chunk.byteLength))
      }
      await file.sync()
    } finally {
      await file.close()
    }
    const sum = hash.digest('hex')
    if ((await hashFile(target)) !== sum) throw new BackupError(`${target} does not contain what was written`)
    await appendFile(sumsPath, `${sum}  ${name}\n`)
  }

  /** False when the earlier backup does not have the file, or no link can be made. */
  async function share(name: string, path: string): Promise<boolean> {
    const sum = isImmutable(name) ? known.get(name) : undefined
    if (sum === undefined || previous === null) return false
    const [earlier, now] = await Promise.all([join(previous, name), path].map(findSize))
    if (now === null || earlier !== now) return false
    const isLinked = await link(join(previous, name), await prepare(name)).then(
      () => true,
      () => false, // a file system without links, or too many of them: the file is copied
    )
    if (isLinked) await appendFile(sumsPath, `${sum}  ${name}\n`)
    return isLinked
  }

  return {
    get sizeBytes() {
      return sizeBytes
    },
    addText: (name, text) => write(name, [typeof text === 'string' ? Buffer.from(text) : text]),
    async addFile(name, path, check) {
      signal?.throwIfAborted()
      if (await share(name, path)) return 'shared'
      if (!(await withOpenFile(path, (_size, chunks) => write(name, chunks, check)))) return 'absent'
      if ((await check?.isSound()) !== false) return 'written'
      damaged.push(name)
      return 'damaged'
    },
    async end() {
      await writeDurably(join(folder, damagedList), damaged.map((name) => `${name}\n`).join(''))
      await copyFile(sumsPath, join(folder, sumsEntry))
      const file = await open(join(folder, sumsEntry), 'r+')
      try {
        await file.chmod(0o600)
        await file.sync()
      } finally {
        await file.close()
      }
      for (const each of [...folders, folder]) await syncFolder(each)
    },
    abort: async () => {},
  }
}

function isImmutable(name: string): boolean {
  return /\/objects\/|^cache\/pdf\//.test(name)
}

async function findSize(path: string): Promise<number | null> {
  return stat(path).then(({ size }) => size, whenAbsent(null))
}

/** Hashes by the name of the entry. An earlier backup that cannot be read, or does not list what is damaged, is not shared. */
async function readShareable(folder: string): Promise<ReadonlyMap<string, string>> {
  const damaged = await readFile(join(folder, damagedList), 'utf8').catch(whenAbsent(null))
  if (damaged === null) return new Map()
  const sums = await open(join(folder, sumsEntry)).catch(whenAbsent(null))
  if (sums === null) return new Map()
  const known = new Map<string, string>()
  // The list of a large host is longer than a string can be. Its stream closes the file.
  for await (const line of sums.readLines()) {
    const [sum, name] = [line.slice(0, 64), line.slice(66)]
    // Backups of earlier versions do not list damaged PDFs.
    if (isImmutable(name) && isNamedAfter(name, sum)) known.set(name, sum)
  }
  for (const name of damaged.split('\n')) known.delete(name)
  return known
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
