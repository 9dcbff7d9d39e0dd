/**
 * Loose refs: those in their own files, because they moved since git last packed them.
 *
 * Every writer creates a lock file and renames it over the ref, which changes the modification time of the folder. A
 * snapshot therefore contains the stamps of the folders, taken before their contents were read, and is validated by
 * comparing them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { readUnlessAbsent } from '../../base/absent.ts'
import { isRefName } from '../../domain/git/ref-names.ts'
import { DamagedRefError } from './damaged-ref.ts'
import { isSameStamp, takeStamp, type Stamp } from './file-stamp.ts'
import { isObjectId } from '../is-object-id.ts'

/** The loose refs in a folder such as `refs/heads`. */
export interface LooseRefs {
  /** Short name → id. */
  readonly refs: ReadonlyMap<string, string>
  /** Every folder that was read, with its stamp from before. */
  readonly folders: readonly { readonly path: string; readonly stamp: Stamp | null }[]
  /** Whether an omitted file may be a ref to git. */
  readonly hasOthers: boolean
}

/**
 * Reads `refs/heads` or `refs/tags` of a repository. Symbolic refs, links and locks are omitted.
 *
 * Synchronous, like the validation: on a local disk these calls take microseconds, less than a switch to another
 * thread, and concurrent reads cannot interleave.
 *
 * @throws DamagedRefError for a file that git would ignore: otherwise, its branch would seem to be deleted, or to be at
 * the commit where it was packed.
 */
export function readLooseRefs(gitDir: string, prefix: 'refs/heads' | 'refs/tags'): LooseRefs {
  const refs = new Map<string, string>()
  const folders: { path: string; stamp: Stamp | null }[] = []
  const pending = [prefix as string]
  let hasOthers = false
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const folderPath = path.join(gitDir, folder)
    folders.push({ path: folderPath, stamp: takeStamp(folderPath) })
    for (const entry of listEntries(folderPath)) {
      const ref = `${folder}/${entry.name}`
      if (entry.isDirectory()) pending.push(ref)
      if (entry.isDirectory() || entry.name.endsWith('.lock')) continue
      const objectId = entry.isFile() && isRefName(ref) ? readObjectId(path.join(gitDir, ref)) : null
      if (objectId === null) hasOthers = true
      else refs.set(ref.slice(prefix.length + 1), objectId)
    }
  }
  return { refs, folders, hasOthers }
}

/** Whether there may be other loose refs than branches, tags and internal refs. */
export function hasOtherRefs(gitDir: string): boolean {
  return listEntries(path.join(gitDir, 'refs')).some(({ name }) => !['heads', 'tags', 'texproof'].includes(name))
}

/** Whether no ref was created, moved or deleted since these were read. */
export function isStillTrue(loose: LooseRefs): boolean {
  return loose.folders.every((folder) => isSameStamp(folder.stamp, takeStamp(folder.path)))
}

function listEntries(folder: string) {
  // Removed since its parent was read, or not a folder: it contains no ref.
  return readUnlessAbsent(() => readdirSync(folder, { withFileTypes: true }), [])
}

function readObjectId(file: string): string | null {
  // Absent: packed or deleted since the folder was listed.
  const text = readUnlessAbsent(() => readFileSync(file, 'latin1').trimEnd(), null)
  if (text === null || text.startsWith('ref:')) return null
  if (isObjectId(text)) return text
  throw new DamagedRefError(file)
}
