/**
 * Refs that lie in files of their own: those that moved since git last packed them.
 *
 * Every writer of refs makes a lock file and renames it over the ref, which changes the folder's time. So what was read
 * is described by the stamps of the folders, taken before their contents, and a later look compares only these.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { readUnlessAbsent } from '../../base/absent.ts'
import { isRefName } from '../../domain/git/ref-names.ts'
import { isSameStamp, takeStamp, type Stamp } from './file-stamp.ts'
import { isObjectId } from '../is-object-id.ts'

/** What lay loose under one folder such as `refs/heads`. */
export interface LooseRefs {
  /** Short name → id. */
  readonly refs: ReadonlyMap<string, string>
  /** Every folder read, with its stamp from before. */
  readonly folders: readonly { readonly path: string; readonly stamp: Stamp | null }[]
  /** Whether something was left out that may be a ref to git. */
  readonly hasOthers: boolean
}

/**
 * Reads `refs/heads` or `refs/tags` of a repository; what is no plain ref (a symbolic ref, a link, a lock) is left out.
 *
 * Synchronous, and so are the checks: on a local disk these calls take microseconds, a trip to a thread takes more, and
 * a state read in one go needs no thought about two readers at once.
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

/** Whether there may be loose refs beside branches and tags, apart from our own. */
export function hasOtherRefs(gitDir: string): boolean {
  return listEntries(path.join(gitDir, 'refs')).some(({ name }) => !['heads', 'tags', 'texproof'].includes(name))
}

/** Whether no ref can have come, gone or moved since these were read. */
export function isStillTrue(loose: LooseRefs): boolean {
  return loose.folders.every((folder) => isSameStamp(folder.stamp, takeStamp(folder.path)))
}

function listEntries(folder: string) {
  // Gone since its parent was read, or no folder at all: no ref in it.
  return readUnlessAbsent(() => readdirSync(folder, { withFileTypes: true }), [])
}

function readObjectId(file: string): string | null {
  // Absent: packed away or deleted since the folder was listed.
  const text = readUnlessAbsent(() => readFileSync(file, 'latin1').trimEnd(), null)
  return text !== null && isObjectId(text) ? text : null
}
