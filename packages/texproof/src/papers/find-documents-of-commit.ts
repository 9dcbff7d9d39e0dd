import type { GitStore } from '../git/types.ts'
import { findDocuments } from './documents/find-documents.ts'
import type { FoundDocuments } from './documents/types.ts'

/** A source beyond this is data, not a document. */
const MAX_SOURCE_BYTES = 512 * 1024

/**
 * More files than this are not even looked at. Far above what a build takes, so that a paper among too many files is
 * told why it is not built, while a repository of code is left in peace.
 */
const MAX_LISTED_FILES = 50_000

/** Finds the documents of a commit. */
export async function findDocumentsOfCommit(
  git: GitStore,
  repositoryId: number,
  commitId: string,
): Promise<FoundDocuments> {
  const listed = await git.listFiles(repositoryId, commitId, { maxFiles: MAX_LISTED_FILES })
  if (listed === null) return { kind: 'none' }
  const files = listed.filter(({ kind }) => kind === 'file' || kind === 'executable')
  const byPath = new Map(files.map((file) => [file.path, file]))
  return findDocuments({
    paths: [...byPath.keys()],
    readText: async (path) => {
      const file = byPath.get(path)
      if (file === undefined || file.size > MAX_SOURCE_BYTES) return null
      const bytes = await git.readBlob(repositoryId, file.objectId, { maxBytes: MAX_SOURCE_BYTES })
      return bytes === null ? null : decodeSource(bytes)
    },
  })
}

/** Detection only looks at ASCII commands, so a legacy encoding may pass as Latin-1. */
function decodeSource(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('latin1').decode(bytes)
  }
}
