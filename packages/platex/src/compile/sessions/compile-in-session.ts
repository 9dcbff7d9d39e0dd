/**
 * Compiles of one document that follow each other: each starts from the auxiliary files of the last one, at the same time of
 * the document, and engines read ahead for the next one.
 */
import { cacheKey, createBoundedCache, type CacheAddress } from '../../base/bounded-cache.ts'
import { installationId } from '../installation-id.ts'
import type { CompileJob, CompileOutcome, ResolvedJob } from '../job.ts'
import { firstDifference } from '../readers/choose-starts.ts'
import { prepareReaders } from './prepare-readers.ts'
import { resolveJob, runPipeline } from '../run-pipeline.ts'

/** What one compile leaves to the next. */
interface SessionState {
  readonly aux: CompileOutcome['aux']
  readonly epoch: number
  readonly root: Uint8Array
  /** Position of the last edit in the root file; null before the first. */
  readonly editedAt: number | null
}

/** A job of a session, without what the session adds. Its warm-start files are for a session that has none. */
export type SessionJob = Omit<CompileJob, 'sourceDateEpoch' | 'document'>

const MIB = 1024 * 1024
const DAY_S = 86_400

/** Each compile of a session keeps it for another while. */
const sessions = createBoundedCache<SessionState>({
  keptMs: 10 * 60_000,
  maxBytes: 128 * MIB,
  maxBytesPerOwner: 32 * MIB,
  maxEntriesPerOwner: 64,
})

/**
 * Compiles the document of a session. Only its owner finds the session.
 *
 * `before`: what to do with the job, as the session completes it, before the compile.
 */
export async function compileInSession(
  job: SessionJob,
  { owner, key }: CacheAddress,
  before: (job: ResolvedJob) => Promise<void> = async () => {},
): Promise<CompileOutcome> {
  const document = { owner, key: cacheKey([key, job.rootFile, job.engine, installationId(job.sandbox)]) }
  const kept = sessions.find(document)
  const root = job.files.get(job.rootFile) ?? new Uint8Array()
  const epoch = epochAfter(kept?.epoch)
  const asked: CompileJob = {
    ...job,
    document,
    sourceDateEpoch: epoch,
    warmStartFiles: kept?.aux ?? job.warmStartFiles,
  }
  await before(resolveJob(asked).job)
  const outcome = await runPipeline(asked)
  job.signal?.throwIfAborted()
  const editedAt = (kept && firstDifference(kept.root, root)) ?? kept?.editedAt ?? null
  // After an error, the files of the last good compile save more.
  const isGood = outcome.aux.size > 0 && outcome.result.errors.length === 0
  const aux = isGood ? outcome.aux : kept?.aux
  if (aux === undefined) return outcome
  const sizeBytes = [root, ...aux.values()].reduce((sum, bytes) => sum + bytes.length, 0)
  sessions.save(document, { value: { aux, epoch, root, editedAt }, sizeBytes })
  const next = resolveJob({ ...asked, warmStartFiles: aux, signal: undefined, onProgress: undefined }).job
  void prepareReaders(next, { document, editedAt, editedPage: outcome.pages?.editedPage ?? null })
  return outcome
}

/** The time of a session stays for a day, so that what an engine has read ahead stays right, and `\today` is. */
function epochAfter(kept: number | undefined): number {
  const now = Math.floor(Date.now() / 1000)
  return kept !== undefined && Math.floor(kept / DAY_S) === Math.floor(now / DAY_S) ? kept : now
}
