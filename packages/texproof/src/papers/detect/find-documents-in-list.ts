/**
 * Finds the documents of a tree in git's listing of it. Both steps run in a worker thread: a tree has up to 50,000
 * names and many megabytes of sources, and a pushed latexmkrc is a Perl program.
 */
import { decodeUtf16 } from '../../domain/text/decode-utf16.ts'
import { parseFileList } from '../../git/objects/parse-file-list.ts'
import { findDocuments, isDecisive } from './find-documents.ts'
import type { FoundDocuments } from './types.ts'

/**
 * Trees with more files are not searched. The limit is far above the limit of a build, so that a paper with too many files
 * gets an error message, while a repository of code is ignored.
 */
const MAX_LISTED_FILES = 50_000
/** A larger source is data, not a document: a book in one file has less than a megabyte. */
export const maxSourceBytes = 2 * 1024 * 1024
/** Bytes of all sources together; the remaining sources are not read. */
const MAX_TOTAL_BYTES = 24 * 1024 * 1024
/** Maximum number of sources and settings files that are read. */
const MAX_SOURCES = 3_500

/** A file to read. */
export interface WantedSource {
  readonly path: string
  readonly objectId: string
}

/** Chooses the files that determine which documents a tree contains; null if the tree has too many files. */
export function chooseSources(list: Uint8Array): readonly WantedSource[] | null {
  const files = parseFileList(list, { maxFiles: MAX_LISTED_FILES })
  if (files === null) return null
  let left = MAX_TOTAL_BYTES
  return files
    .filter(({ path, kind, size }) => isRegular(kind) && size <= maxSourceBytes && isDecisive(path))
    .slice(0, MAX_SOURCES)
    .filter(({ size }) => {
      left -= size
      return left >= 0
    })
    .map(({ path, objectId }) => ({ path, objectId }))
}

/** Git's listing of a tree, and the bytes of its sources by path. */
export interface ListedTree {
  readonly list: Uint8Array
  readonly sources: ReadonlyMap<string, Uint8Array>
}

/** Finds the documents of a tree whose sources have been read. */
export function findDocumentsInList({ list, sources }: ListedTree): Promise<FoundDocuments> {
  const files = parseFileList(list, { maxFiles: MAX_LISTED_FILES }) ?? []
  const paths = new Set(files.filter(({ kind }) => isRegular(kind)).map(({ path }) => path))
  const links = new Set(files.filter(({ kind }) => kind === 'symlink').map(({ path }) => path))
  return findDocuments({
    paths,
    links,
    readText: async (path) => {
      const bytes = sources.get(path)
      return bytes === undefined ? null : decodeSource(bytes)
    },
  })
}

function isRegular(kind: string): boolean {
  return kind === 'file' || kind === 'executable'
}

/** Detection reads only ASCII commands, so a legacy encoding can be read as Latin-1. The build reports UTF-16. */
export function decodeSource(bytes: Uint8Array): string {
  const wide = decodeUtf16(bytes)
  if (wide !== null) return wide
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Not UTF-8: Latin-1 accepts every byte.
    return new TextDecoder('latin1').decode(bytes)
  }
}
