import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import { isObjectId } from '../is-object-id.ts'
import { findWriters } from '../process/find-writers.ts'
import { runGit } from '../process/run-git.ts'
import { defaultSearchPath } from '../process/spawn-git.ts'
import { parsePackedRefs } from '../refs/parse-packed-refs.ts'
import { findLeftovers } from '../refs/stale-locks.ts'
import { usesReftable } from '../refs/uses-reftable.ts'
import { readHead } from '../refs/write-head.ts'

/** A defect of a repository on disk. */
export interface RepositoryFault {
  readonly kind: 'absent' | 'head' | 'refs' | 'objects' | 'leftover'
  readonly path: string
  readonly detail: string
}

/**
 * Checks that a repository exists, its HEAD, its refs and every object, and finds files that crashes left behind.
 * Changes nothing.
 */
export async function checkRepository(
  gitDir: string,
  {
    defaultBranch,
    searchPath = defaultSearchPath,
    signal,
  }: { readonly defaultBranch: string; readonly searchPath?: string; readonly signal?: AbortSignal | undefined },
): Promise<readonly RepositoryFault[]> {
  const found = await stat(path.join(gitDir, 'objects')).catch(whenAbsent(null))
  if (found === null) return [{ kind: 'absent', path: gitDir, detail: 'no repository is there' }]
  const faults = [...(await checkHead(gitDir, defaultBranch)), ...(await checkRefs(gitDir))]
  // git refuses a repository with a damaged HEAD.
  const isReadable = faults.every(({ detail }) => detail !== damagedHead)
  const objects = isReadable ? await checkObjects(gitDir, { searchPath, signal }) : []
  return [...faults, ...objects, ...(await checkLeftovers(gitDir))]
}

/** Files of a git process that works on the repository are not leftovers. The search for one is slow, and rarely necessary. */
async function checkLeftovers(gitDir: string): Promise<readonly RepositoryFault[]> {
  const found = await findLeftovers(gitDir)
  if (found.length === 0 || (await findWriters())(gitDir)) return []
  // A git that has ended in the meantime has removed its files.
  const left = new Set(await findLeftovers(gitDir))
  const detail = 'left behind by a crash'
  return found.filter((place) => left.has(place)).map((place) => ({ kind: 'leftover', path: place, detail }))
}

async function checkHead(gitDir: string, defaultBranch: string): Promise<readonly RepositoryFault[]> {
  const head = await readHead(gitDir)
  if (head.kind === 'branch' && [defaultBranch, '.invalid'].includes(head.branch)) return []
  const detail =
    head.kind === 'damaged'
      ? damagedHead
      : `names ${head.branch}; the default branch in the database is ${defaultBranch}`
  return [{ kind: 'head', path: path.join(gitDir, 'HEAD'), detail }]
}

/**
 * Ref files that contain neither an id nor a symbolic ref, and a damaged `packed-refs`.
 *
 * @throws when a file or folder cannot be read.
 */
export async function checkRefs(gitDir: string): Promise<readonly RepositoryFault[]> {
  if (usesReftable(gitDir)) return []
  return [
    ...(await checkPackedRefs(path.join(gitDir, 'packed-refs'))),
    ...(await checkRefFolder(path.join(gitDir, 'refs'))),
  ]
}

async function checkPackedRefs(file: string): Promise<readonly RepositoryFault[]> {
  const bytes = await readFile(file).catch(whenAbsent(null))
  return bytes === null || parsePackedRefs(bytes) !== null ? [] : [{ kind: 'refs', path: file, detail: 'is damaged' }]
}

async function checkRefFolder(folder: string): Promise<readonly RepositoryFault[]> {
  // git removes empty folders at any time.
  const entries = await readdir(folder, { withFileTypes: true }).catch(whenAbsent([]))
  const faults: RepositoryFault[] = []
  for (const entry of entries) {
    // No ref has such a name.
    if (entry.name.startsWith('.') || entry.name.endsWith('.lock')) continue
    const place = path.join(folder, entry.name)
    if (entry.isDirectory()) faults.push(...(await checkRefFolder(place)))
    if (!entry.isFile()) continue
    const text = await readFile(place, 'latin1').catch(whenAbsent(null))
    if (text === null || isObjectId(text.trimEnd()) || text.startsWith('ref: ')) continue
    faults.push({ kind: 'refs', path: place, detail: 'is not a ref' })
  }
  return faults
}

/** Damaged or missing objects, as reported by git. */
async function checkObjects(
  gitDir: string,
  { searchPath, signal }: { readonly searchPath: string; readonly signal: AbortSignal | undefined },
): Promise<readonly RepositoryFault[]> {
  const limits = { timeoutMs: 30 * 60_000, maxOutputBytes: 64 * 1024, ...(signal === undefined ? {} : { signal }) }
  const args = ['fsck', '--full', '--no-dangling', '--no-progress', '--no-reflogs']
  const run = await runGit(args, { gitDir, searchPath, ...limits })
  if (run.kind === 'exited' && run.exitCode === 0) return []
  const output = run.kind === 'exited' ? `${run.stderr}${run.stdout.toString()}` : run.kind
  const lines = output.split('\n').filter((line) => /^(?:error|fatal|missing|broken)/.test(line))
  return [{ kind: 'objects', path: gitDir, detail: lines.slice(0, 3).join('; ') || output.trim() || 'git fsck failed' }]
}

const damagedHead = 'is damaged: git cannot read the repository'
