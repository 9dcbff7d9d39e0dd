/**
 * Writes HEAD of a repository: the branch that a clone checks out.
 *
 * `git symbolic-ref` renames a file that is not synced: after a power failure, HEAD may be empty, and an empty HEAD
 * makes the whole repository unreadable.
 */
import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import { isBranchName } from '../../domain/git/ref-names.ts'
import { replaceLocked } from './replace-locked.ts'

/** The content of HEAD. `damaged` = absent, empty or not a branch: git refuses such a repository. */
export type Head = { readonly kind: 'branch'; readonly branch: string } | { readonly kind: 'damaged' }

/** Reads HEAD. */
export async function readHead(gitDir: string): Promise<Head> {
  const text = await readFile(path.join(gitDir, 'HEAD'), 'utf8').catch(whenAbsent(''))
  const branch = /^ref: refs\/heads\/([^\n]+)\n?$/.exec(text)?.[1]
  // git writes `.invalid` if refs and HEAD are in the reftable format.
  const isBranch = branch !== undefined && (isBranchName(branch) || branch === '.invalid')
  return isBranch ? { kind: 'branch', branch } : { kind: 'damaged' }
}

/**
 * Points HEAD at a branch, existing or not, and syncs it to disk. Does nothing if HEAD is unchanged.
 *
 * @throws Error when another writer holds the lock for seconds, or the file cannot be written.
 */
export async function writeHead(gitDir: string, branch: string): Promise<void> {
  const head = await readHead(gitDir)
  if (head.kind === 'branch' && head.branch === branch) return
  await replaceLocked(path.join(gitDir, 'HEAD'), `ref: refs/heads/${branch}\n`)
}
