import { checkFilePath } from '../../domain/git/check-file-path.ts'
import type { GitStore, TreeEntry } from '../../git/types.ts'
import { findFile } from './find-file.ts'

/** Where to store a file. */
export interface FileLocation {
  readonly repositoryId: number
  /** null = in an empty repository. */
  readonly commitId: string | null
  readonly path: string
}

/** The entry at a path, or the reason why a file cannot be stored there. */
export type LocationCheck =
  | { readonly kind: 'free' }
  | { readonly kind: 'file'; readonly file: TreeEntry }
  | { readonly kind: 'refused'; readonly problem: string }

/** Checks whether a file can be stored at a path of a commit. */
export async function checkFileLocation(
  git: GitStore,
  { repositoryId, commitId, path }: FileLocation,
): Promise<LocationCheck> {
  const refusal = checkFilePath(path)
  if (refusal !== null) return { kind: 'refused', problem: refusal }
  if (commitId === null) return { kind: 'free' }
  const names = path.split('/')
  for (let depth = 1; depth <= names.length; depth += 1) {
    const part = names.slice(0, depth).join('/')
    const entry = await findFile(git, repositoryId, { commitId, path: part })
    if (entry === null) return { kind: 'free' }
    const isLast = depth === names.length
    if (isLast && (entry.kind === 'file' || entry.kind === 'executable')) return { kind: 'file', file: entry }
    if (isLast || entry.kind !== 'folder') return { kind: 'refused', problem: describeEntry(entry, part, isLast) }
  }
  return { kind: 'free' }
}

function describeEntry({ kind }: TreeEntry, path: string, isLast: boolean): string {
  const what = { file: 'file', executable: 'file', symlink: 'link', folder: 'folder', submodule: 'submodule' }[kind]
  return isLast
    ? `A ${what} "${path}" already exists. Choose another name.`
    : `"${path}" is a ${what}, not a folder. Choose another folder.`
}
