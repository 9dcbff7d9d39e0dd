/**
 * Compiles of one document that follow each other: engines read ahead for the next one. In a session, each also starts from
 * the auxiliary files of the last one, at the same time of the document.
 */
import { DEFAULTS } from '../../base/defaults.ts'
import { cacheKey, createBoundedCache, type CacheAddress } from '../../base/bounded-cache.ts'
import { installationId } from '../installation-id.ts'
import type { CompileJob, CompileOutcome, LocalOutcome, ResolvedJob } from '../job.ts'
import { firstDifference, positionOfInput } from '../readers/choose-starts.ts'
import { digestsOf, listChanged } from '../readers/reader-store.ts'
import { prepareReaders } from './prepare-readers.ts'
import { resolveJob, runPipeline } from '../run-pipeline.ts'

/** Sources kept for the next compile, to find where the author edits. */
interface LastSources {
  readonly root: Uint8Array
  /** Path → digest of all other files. */
  readonly digests: ReadonlyMap<string, string>
  /** Position of the last edit in the root file, or of the command that inputs the edited file; null before the first. */
  readonly editedAt: number | null
}

/** State that one compile of a session keeps for the next. */
interface SessionState extends LastSources {
  readonly aux: CompileOutcome['aux']
  /** True if the compile that left `aux` had no errors. */
  readonly isGood: boolean
  readonly epoch: number
}

/** A job of a session, without what the session adds. Its warm-start files are for a session that has none. */
export type SessionJob = Omit<CompileJob, 'sourceDateEpoch' | 'document'>

/** A document whose next compile engines read ahead. */
export interface DocumentToReadAhead extends CacheAddress {
  /** Called after the compile; false if the machine has other work. */
  readonly isWorthwhile: () => boolean
}

const MIB = 1024 * 1024
const DAY_S = 86_400
const BYTES_PER_DIGEST = 200

/** Each compile of a session keeps it for another while. */
const sessions = createBoundedCache<SessionState>({
  keptMs: 10 * 60_000,
  maxBytes: 128 * MIB,
  maxBytesPerOwner: 32 * MIB,
  maxEntriesPerOwner: 64,
})

/** Sources of documents whose callers keep the auxiliary files. */
const lastSources = createBoundedCache<LastSources>({
  keptMs: 10 * 60_000,
  maxBytes: 32 * MIB,
  maxBytesPerOwner: 8 * MIB,
  maxEntriesPerOwner: 16,
})

/**
 * Compiles the document of a session. Only its owner finds the session.
 *
 * `before`: what to do with the job, as the session completes it, before the compile.
 */
export async function compileInSession(
  job: SessionJob,
  address: CacheAddress,
  before: (job: ResolvedJob) => Promise<void> = async () => {},
): Promise<LocalOutcome> {
  const document = documentOf(job, address)
  const kept = sessions.find(document)
  const epoch = epochAfter(kept?.epoch)
  const asked: CompileJob = {
    ...job,
    document,
    sourceDateEpoch: epoch,
    warmStartFiles: kept?.aux ?? job.warmStartFiles,
  }
  const outcome = await runAfter(asked, before).catch((error: unknown) => {
    // A newer compile follows, and this one may have used up the engines that had read ahead.
    if (job.signal?.aborted === true && kept !== undefined) readAgain(asked, document, kept)
    throw error
  })
  const start = startAfter(outcome, kept ?? givenStart(job))
  if (start === null) return outcome
  const { aux } = start
  const next = nextOf(asked, aux)
  const sources = sourcesOf(next, kept)
  const sizeBytes = sizeOf(sources) + [...aux.values()].reduce((sum, bytes) => sum + bytes.length, 0)
  sessions.save(document, { value: { ...sources, ...start, epoch }, sizeBytes })
  const { editedAt } = sources
  void prepareReaders(next, { document, editedAt })
  return outcome
}

type Start = Pick<SessionState, 'aux' | 'isGood'>

/**
 * After an error, the files of the last good compile save more. Without one, those with the errors save passes as well: they are
 * stable, too.
 */
function startAfter(outcome: CompileOutcome, last: Start | null): Start | null {
  if (isGood(outcome)) return { aux: outcome.aux, isGood: true }
  return last?.isGood === true || outcome.aux.size === 0 ? last : { aux: outcome.aux, isGood: false }
}

/** Callers keep the files of good compiles only. */
function givenStart({ warmStartFiles }: SessionJob): Start | null {
  return warmStartFiles === undefined ? null : { aux: warmStartFiles, isGood: true }
}

/** @throws the reason of the signal on abort. */
async function runAfter(asked: CompileJob, before: (job: ResolvedJob) => Promise<void>): Promise<LocalOutcome> {
  await before(resolveJob(asked).job)
  const outcome = await runPipeline(asked)
  asked.signal?.throwIfAborted()
  return outcome
}

/** Engines read ahead again after a compile that was cancelled, up to the same edit. */
function readAgain(asked: CompileJob, document: CacheAddress, kept: SessionState): void {
  const next = nextOf(asked, kept.aux)
  void prepareReaders(next, { document, editedAt: sourcesOf(next, kept).editedAt })
}

/** Compiles a document whose caller keeps its auxiliary files and determines its time. */
export async function compileAndReadAhead(
  job: CompileJob,
  { isWorthwhile, ...address }: DocumentToReadAhead,
): Promise<CompileOutcome> {
  const document = documentOf(job, address)
  const asked = { ...job, document }
  const outcome = await runPipeline(asked)
  job.signal?.throwIfAborted()
  const aux = isGood(outcome) ? outcome.aux : job.warmStartFiles
  if (aux === undefined) return outcome
  const next = nextOf(asked, aux)
  const sources = sourcesOf(next, lastSources.find(document))
  lastSources.save(document, { value: sources, sizeBytes: sizeOf(sources) })
  if (isWorthwhile()) void prepareReaders(next, { document, editedAt: sources.editedAt })
  return outcome
}

function documentOf(
  job: Pick<CompileJob, 'rootFile' | 'engine' | 'bibliography' | 'sandbox'>,
  { owner, key }: CacheAddress,
): CacheAddress {
  const { rootFile, engine, bibliography = DEFAULTS.bibliography, sandbox } = job
  return { owner, key: cacheKey([key, rootFile, engine, bibliography, installationId(sandbox)]) }
}

function isGood({ aux, result }: CompileOutcome): boolean {
  return aux.size > 0 && result.errors.length === 0
}

/** The next compile, if nothing is edited. */
function nextOf(asked: CompileJob, warmStartFiles: CompileOutcome['aux']): ResolvedJob {
  const callbacks = { signal: undefined, onProgress: undefined, onConfirming: undefined }
  return resolveJob({ ...asked, ...callbacks, warmStartFiles }).job
}

function sourcesOf(job: ResolvedJob, last: LastSources | undefined): LastSources {
  const root = job.files.get(job.rootFile) ?? new Uint8Array()
  const digests = digestsOf(job)
  if (last === undefined) return { root, digests, editedAt: null }
  const inRoot = firstDifference(last.root, root)
  const inOthers = positionOfInput(root, listChanged(last.digests, digests))
  const positions = [inRoot, inOthers].filter((position) => position !== null)
  return { root, digests, editedAt: positions.length === 0 ? last.editedAt : Math.min(...positions) }
}

function sizeOf({ root, digests }: LastSources): number {
  return root.length + BYTES_PER_DIGEST * digests.size
}

/** The time of a session stays for a day, so that what an engine has read ahead stays right, and `\today` is. */
function epochAfter(kept: number | undefined): number {
  const now = Math.floor(Date.now() / 1000)
  return kept !== undefined && Math.floor(kept / DAY_S) === Math.floor(now / DAY_S) ? kept : now
}
