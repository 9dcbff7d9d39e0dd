/**
 * Engines that have read the beginning of a document, in the workspaces in which they run.
 *
 * A compile takes one if everything that the engine can have read is what the compile would have written: its files and
 * their names, the auxiliary files, the options, the time of the document, and the beginning of the root file. Sources that
 * it has not opened may have changed, and are replaced. The sandbox identifies the TeX installation. Owners find their own
 * engines only.
 */
import { hash } from 'node:crypto'
import { cacheKey, type CacheAddress } from '../../base/bounded-cache.ts'
import { ENGINES } from '../../engine/engines.ts'
import type { ReadAhead, Sandbox } from '../../sandbox/types.ts'
import { engineCommand } from './engine-command.ts'
import { listWritten } from './list-written.ts'
import type { ResolvedJob } from '../job.ts'

/** An engine that waits, and what it waits for. */
export interface WaitingReader {
  readonly workspaceDir: string
  /** The beginning of the root file. */
  readonly start: Uint8Array
  readonly conditions: ReadingConditions
  readonly program: ReadAhead
  /** The files that it has opened; null until it waits, and if it may have opened others. */
  opened: ReadonlySet<string> | null
}

/** Everything that an engine can have read, apart from the root file. */
export interface ReadingConditions {
  /** Digest of the options, of the command of the engine and of the names of all files. */
  readonly settings: string
  /** Path → digest of each file. */
  readonly digests: ReadonlyMap<string, string>
}

const KEPT_MS = 5 * 60_000
/** Engines record every file of these types that they open; of pictures they read only the size. */
const MAY_CHANGE = /\.(?:tex|ltx|bib|tikz)$/

const stores = new WeakMap<Sandbox, Map<string, WaitingReader[]>>()
const digests = new WeakMap<Uint8Array, string>()

/** Takes the engine that has read most of the document; null if none can be used. */
export async function takeReader(job: ResolvedJob): Promise<WaitingReader | null> {
  const { sandbox, document } = job
  const root = job.files.get(job.rootFile)
  if (document === undefined || root === undefined || listReaders(sandbox, document).length === 0) return null
  const conditions = conditionsOf(job)
  await keepReaders(sandbox, document, (reader) => isUsable(reader, { root, conditions }))
  const [best] = listReaders(sandbox, document).toSorted((one, other) => other.start.length - one.start.length)
  if (best === undefined) return null
  forget(sandbox, document, best)
  const changed = listChanged(best.conditions.digests, conditions.digests)
  const written = listWritten(job)
  const replaced = new Map(changed.map((path) => [path, written.get(path) ?? new Uint8Array()]))
  if (await best.program.take(root, replaced, null)) return best
  await sandbox.removeWorkspace(best.workspaceDir)
  return null
}

/** The engines that wait for a document. */
export function listReaders(sandbox: Sandbox, document: CacheAddress): readonly WaitingReader[] {
  return stores.get(sandbox)?.get(idOf(document)) ?? []
}

/** Keeps an engine for the next compile of a document, for some minutes. */
export function addReader(sandbox: Sandbox, document: CacheAddress, reader: WaitingReader): void {
  const store = stores.get(sandbox) ?? new Map<string, WaitingReader[]>()
  stores.set(sandbox, store)
  store.set(idOf(document), [...(store.get(idOf(document)) ?? []), reader])
  // By object, not by name: another workspace may have the same name by then.
  const remove = (): Promise<void> => dropReader(sandbox, document, reader)
  setTimeout(() => void remove().catch(() => {}), KEPT_MS).unref() // The sandbox removes what is left when it closes.
}

/** Stops an engine, unless a compile has taken it. */
export async function removeReader(sandbox: Sandbox, document: CacheAddress, workspaceDir: string): Promise<void> {
  const reader = listReaders(sandbox, document).find((one) => one.workspaceDir === workspaceDir)
  if (reader !== undefined) await dropReader(sandbox, document, reader)
}

async function dropReader(sandbox: Sandbox, document: CacheAddress, reader: WaitingReader): Promise<void> {
  if (!listReaders(sandbox, document).includes(reader)) return
  forget(sandbox, document, reader)
  await sandbox.removeWorkspace(reader.workspaceDir)
}

/** Stops the engines that are not worth keeping. */
export async function keepReaders(
  sandbox: Sandbox,
  document: CacheAddress,
  isWorthKeeping: (reader: WaitingReader) => boolean,
): Promise<void> {
  const others = listReaders(sandbox, document).filter((reader) => !isWorthKeeping(reader))
  await Promise.all(others.map((reader) => dropReader(sandbox, document, reader)))
}

/** True if an engine has read what a compile of this root file would let it read. */
export function isUsable(
  { start, conditions, program, opened }: WaitingReader,
  wanted: { readonly root: Uint8Array; readonly conditions: ReadingConditions },
): boolean {
  if (conditions.settings !== wanted.conditions.settings || !program.isWaiting()) return false
  if (Buffer.compare(start, wanted.root.subarray(0, start.length)) !== 0) return false
  const changed = listChanged(conditions.digests, wanted.conditions.digests)
  return changed.every((path) => opened !== null && !opened.has(path) && MAY_CHANGE.test(path))
}

/** Files of the same names whose content differs. */
export function listChanged(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  return [...after].filter(([path, digest]) => before.get(path) !== digest).map(([path]) => path)
}

export function conditionsOf(job: ResolvedJob): ReadingConditions {
  const digests = digestsOf(job)
  const { engine, rootFile, passes } = job
  // Files that the engine has not opened can change its command, such as its font map.
  const command = JSON.stringify(engineCommand(job, ENGINES[engine]))
  return {
    settings: cacheKey([engine, rootFile, String(passes), command, ...[...digests.keys()].sort()]),
    digests,
  }
}

/** Path → digest of each file that a compile writes before its first pass, apart from the root file. */
export function digestsOf(job: ResolvedJob): ReadonlyMap<string, string> {
  const files = [...listWritten(job)].filter(([path]) => path !== job.rootFile)
  return new Map(files.map(([path, bytes]) => [path, digestOf(bytes)]))
}

/** Callers that keep the files of a project pass the same arrays again. */
function digestOf(bytes: Uint8Array): string {
  const digest = digests.get(bytes) ?? hash('sha256', bytes, 'hex')
  digests.set(bytes, digest)
  return digest
}

function forget(sandbox: Sandbox, document: CacheAddress, reader: WaitingReader): void {
  const store = stores.get(sandbox)
  const left = (store?.get(idOf(document)) ?? []).filter((one) => one !== reader)
  if (left.length > 0) store?.set(idOf(document), left)
  else store?.delete(idOf(document))
}

function idOf({ owner, key }: CacheAddress): string {
  return cacheKey([owner, key])
}
