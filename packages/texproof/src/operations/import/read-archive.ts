/**
 * Reads an uploaded archive. Runs in a worker thread: the content is untrusted, and unpacking blocks the thread.
 *
 * Nothing is written to disk, so an archive that is refused leaves nothing behind.
 */
import { isTar, readTar, shorten, TarError } from '@texproof/platex/tar'

import { decodeUtf16 } from '../../domain/text/decode-utf16.ts'
import { decodeSource, maxSourceBytes } from '../../papers/detect/find-documents-in-list.ts'
import { findDocuments, isDecisive } from '../../papers/detect/find-documents.ts'
import { scanSources } from '../../papers/detect/scan-sources.ts'
import type { DocumentTree, FoundDocuments } from '../../papers/detect/types.ts'
import { ArchiveRefused, checkUnpackedSize, importLimits, type ArchiveEntry } from './archive-limits.ts'
import { chooseFiles, type SkippedEntry } from './choose-files.ts'
import { findUnportableNames, type UnportableName } from './find-unportable-names.ts'
import { gunzipBounded, isGzip } from './gunzip-bounded.ts'
import { isZip, readZip } from './read-zip.ts'

/** An uploaded file: a zip or tar archive, or a single source. */
export interface UploadedArchive {
  readonly bytes: Uint8Array
  /** Name of the uploaded file; the path of a single source. */
  readonly fileName: string
}

/** A folder, or several files. Contents that are absent were left out for their kind or their size. */
export interface ImportedFolder {
  readonly fileName: string
  readonly entries: readonly (Pick<ArchiveEntry, 'name' | 'kind' | 'size'> & { readonly bytes: Uint8Array | null })[]
}

/** Sources of an import. */
export type ImportSource = UploadedArchive | ImportedFolder

/** The files of an archive, or why it is not imported. `problem` is a message for the user. */
export type ArchiveOutcome =
  | { readonly kind: 'read'; readonly files: ReadonlyMap<string, Uint8Array> }
  | { readonly kind: 'refused'; readonly problem: string }

/** Contents of an archive. */
export interface ArchiveSummary {
  readonly kind: 'summary'
  readonly fileCount: number
  readonly byteCount: number
  /** The folder around all files, which is left out; null = there is none. */
  readonly topFolder: string | null
  readonly skipped: readonly SkippedEntry[]
  /** Names that are imported, but that some systems cannot check out. */
  readonly unportable: readonly UnportableName[]
  /** Archives within the archive, which are imported as they are. */
  readonly nestedArchives: readonly string[]
  readonly found: FoundDocuments
  /** Packages and classes that the sources load and the archive does not contain. */
  readonly packages: readonly string[]
}

const NESTED = /\.(?:zip|tar|tgz|gz|bz2|xz|7z|rar)$/i
/** Bytes of all sources that are searched for documents. */
const MAX_SEARCHED_BYTES = 24e6

/** Reads the files of an archive. */
export async function readArchive(upload: ImportSource): Promise<ArchiveOutcome> {
  return refusable(async () => ({ kind: 'read', files: (await unpackFiles(upload)).files }))
}

/** Describes an archive without importing it. */
export async function summarizeArchive(
  upload: ImportSource,
): Promise<ArchiveSummary | Extract<ArchiveOutcome, { kind: 'refused' }>> {
  return refusable(async () => {
    const { files, skipped, topFolder } = await unpackFiles(upload)
    const tree = treeOf(files)
    return {
      kind: 'summary',
      fileCount: files.size,
      byteCount: [...files.values()].reduce((sum, { length }) => sum + length, 0),
      topFolder,
      skipped,
      unportable: findUnportableNames(files.keys()),
      nestedArchives: [...files.keys()].filter((path) => NESTED.test(path)),
      found: await findDocuments(tree),
      packages: await listPackages(tree),
    }
  })
}

async function refusable<Result>(
  work: () => Promise<Result>,
): Promise<Result | { readonly kind: 'refused'; readonly problem: string }> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ArchiveRefused) return { kind: 'refused', problem: error.message }
    throw error
  }
}

async function unpackFiles(upload: ImportSource) {
  const entries = 'entries' in upload ? upload.entries.map(folderEntry) : await listEntries(upload)
  checkUnpackedSize(entries, 'entries' in upload ? Infinity : upload.bytes.length)
  const { files: chosen, skipped, topFolder } = chooseFiles(entries)
  const files = new Map([...chosen].map(([path, entry]) => [path, entry.unpack()]))
  if (files.size === 0) throw new ArchiveRefused('The archive has no files to import.')
  return { files, skipped, topFolder }
}

function folderEntry({ bytes, ...entry }: ImportedFolder['entries'][number]): ArchiveEntry {
  return {
    ...entry,
    unpack: () => {
      if (bytes !== null) return bytes
      throw new ArchiveRefused(`"${shorten(entry.name)}" was not read from the folder.`)
    },
  }
}

async function listEntries({ bytes, fileName }: UploadedArchive): Promise<readonly ArchiveEntry[]> {
  if (bytes.length === 0) throw new ArchiveRefused('The file is empty. Choose another one.')
  if (isZip(bytes)) return readZip(bytes)
  if (!isGzip(bytes)) return isTar(bytes) ? listTar(bytes) : [singleSource(fileName, bytes)]
  const unpacked = gunzipBounded(bytes)
  // arXiv sends the source of a paper with one file as this file alone, compressed.
  return isTar(unpacked) ? listTar(unpacked) : [singleSource(fileName.replace(/(?:\.tex)?\.gz$/i, '.tex'), unpacked)]
}

function listTar(tar: Uint8Array): readonly ArchiveEntry[] {
  try {
    const entries = readTar(tar, importLimits.entries)
    return entries.map(({ content, ...entry }) => ({ ...entry, size: content.length, unpack: () => content }))
  } catch (error) {
    throw error instanceof TarError ? new ArchiveRefused(error.message) : error
  }
}

function singleSource(fileName: string, bytes: Uint8Array): ArchiveEntry {
  const name = fileName.split(/[/\\]/).at(-1) ?? ''
  if (!/\.(?:tex|ltx|latex)$/i.test(name) || (bytes.includes(0) && decodeUtf16(bytes) === null))
    throw new ArchiveRefused(
      `"${shorten(name)}" is not a zip file, a tar file or a LaTeX source. Choose a .zip, .tar, .tar.gz or .tex file.`,
    )
  return { name, kind: 'file', size: bytes.length, unpack: () => bytes }
}

function treeOf(files: ReadonlyMap<string, Uint8Array>): DocumentTree {
  let leftBytes = MAX_SEARCHED_BYTES
  const texts = new Map<string, string>()
  for (const [path, bytes] of files) {
    if (!isDecisive(path) || bytes.length > maxSourceBytes || bytes.length > leftBytes) continue
    leftBytes -= bytes.length
    texts.set(path, decodeSource(bytes))
  }
  return { paths: new Set(files.keys()), readText: async (path) => texts.get(path) ?? null }
}

async function listPackages(tree: DocumentTree): Promise<readonly string[]> {
  const sources = await scanSources(tree)
  const own = new Set([...tree.paths].map((path) => /([^/]+)\.(?:sty|cls)$/.exec(path)?.[1]))
  const names = [...sources.values()].flatMap(({ packages }) => packages.map(({ name }) => name))
  return [...new Set(names)].filter((name) => !own.has(name)).toSorted()
}
