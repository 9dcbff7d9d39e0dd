/**
 * Previews of a document during an edit: compiles in a session, of which only the newest matters.
 */
import { createBoundedCache, type CacheAddress } from '../../base/bounded-cache.ts'
import type { CompileJob, CompileOutcome, ResolvedJob } from '../job.ts'
import { compileInSession } from '../sessions/compile-in-session.ts'
import type { PageDescription } from './describe-pages.ts'
import type { SourceLine } from './find-page-of-line.ts'
import { beginEditedPage } from './show-edited-page.ts'

/** A request for a preview. */
export interface PreviewRequest extends Pick<
  CompileJob,
  | 'rootFile'
  | 'files'
  | 'engine'
  | 'bibliography'
  | 'timeoutMs'
  | 'signal'
  | 'requester'
  | 'warmStartFiles'
  | 'onProgress'
> {
  /** Whose previews: owners share nothing. */
  readonly owner: string
  /** Names the preview within its owner; a newer request with the same name cancels an older one. */
  readonly session: string
  /** Files that replace or add to `files`; null removes one. Pass the same arrays again for files that did not change. */
  readonly overlay?: ReadonlyMap<string, Uint8Array | null>
  /** Position of the last edit. */
  readonly edited?: SourceLine
}

/** Events of a preview, in order; `done`, `failed` and `cancelled` are final. */
export type PreviewEvent =
  /**
   * The edited page, before the whole document is done. References and page numbers come from the last compile.
   *
   * `pdf` contains the pages from `firstPage` on, and ends with the edited page or shortly after it.
   */
  | { readonly kind: 'page'; readonly pdf: Uint8Array; readonly firstPage: number; readonly editedPage: number | null }
  /** The whole document. `changedPages`: those that differ from the last PDF of this session, 1-based. */
  | {
      readonly kind: 'done'
      readonly outcome: CompileOutcome
      readonly changedPages: readonly number[]
      readonly editedPage: number | null
    }
  /** There is no PDF; the errors are in the outcome. */
  | { readonly kind: 'failed'; readonly outcome: CompileOutcome }
  /** A newer request or the caller's signal ended it. */
  | { readonly kind: 'cancelled' }

const KEPT_MS = 30 * 60_000
const BYTES_PER_DIGEST = 64
/** If the rest of the document takes less time, a separate engine would not show the edited page earlier. */
const MIN_REST_MS = 60
const MAX_BYTES = 16 * 1024 * 1024

interface LastPreview extends PageDescription {
  /** Duration in milliseconds. */
  readonly durationMs: number
}

/** The last PDF of each session. */
const lastPages = createBoundedCache<LastPreview>({
  keptMs: KEPT_MS,
  maxBytes: MAX_BYTES,
  maxBytesPerOwner: MAX_BYTES,
  maxEntriesPerOwner: 64,
})

const running = new Map<string, AbortController>()

/**
 * Compiles the newest version of a document and reports what changed. The compile starts with the first event that is
 * asked for; leaving the loop early ends it.
 *
 * @throws PlatexError `NO_ENGINE` when the engine is not installed.
 */
export async function* preview(
  request: PreviewRequest,
  sandbox: () => Promise<CompileJob['sandbox']>,
): AsyncGenerator<PreviewEvent, void, undefined> {
  const address = { owner: request.owner, key: `preview ${request.session}` }
  const id = JSON.stringify([request.owner, request.session])
  running.get(id)?.abort()
  const controller = new AbortController()
  running.set(id, controller)
  const signals = [controller.signal, ...(request.signal === undefined ? [] : [request.signal])]
  const signal = AbortSignal.any(signals)
  try {
    const startedAt = performance.now()
    const job = jobOf(request, { sandbox: await sandbox(), signal })
    const early = Promise.withResolvers<PreviewEvent | null>()
    const whole = compileInSession(job, address, async (completed) => {
      // Both run at the same time, but this one first takes the engine that has read up to the edit.
      const show = await beginPageOf(completed, address)
      early.resolve(show === null ? null : show())
    })
    whole.catch(() => early.resolve(null)) // Reported below.
    const page = await early.promise
    if (page !== null) yield page
    const outcome = await whole
    signal.throwIfAborted()
    yield eventOf(outcome, { address, durationMs: performance.now() - startedAt })
  } catch (error) {
    if (!signal.aborted) throw error
    yield { kind: 'cancelled' }
  } finally {
    controller.abort()
    if (running.get(id) === controller) running.delete(id)
  }
}

/** Null where the whole document takes little longer, or no engine has read up to the edit. */
async function beginPageOf(
  job: ResolvedJob,
  address: CacheAddress,
): Promise<(() => Promise<PreviewEvent | null>) | null> {
  const last = lastPages.find(address)
  const edited = job.describePages?.edited ?? null
  if (edited === null || last === undefined || last.editedPage === null) return null
  const laterPages = last.digests.length - last.editedPage
  // All of its time counts: the engine may have read ahead up to the edit, and completing a long PDF takes longest.
  if ((last.durationMs * laterPages) / (laterPages + 1) < MIN_REST_MS) return null
  const { editedPage, nextPageLine } = last
  const show = await beginEditedPage(job, { ...edited, page: editedPage, nextPageLine })
  if (show === null) return null
  return async () => {
    const found = await show()
    return found && { kind: 'page', ...found, editedPage }
  }
}

function jobOf(
  { files, overlay, edited, owner, ...request }: PreviewRequest,
  { sandbox, signal }: Pick<CompileJob, 'sandbox' | 'signal'>,
): CompileJob {
  const merged = new Map(files)
  for (const [path, bytes] of overlay ?? []) {
    if (bytes === null) merged.delete(path)
    else merged.set(path, bytes)
  }
  return {
    ...request,
    files: merged,
    synctex: true,
    tenant: owner,
    describePages: { edited: edited ?? null },
    sandbox,
    signal,
  }
}

function eventOf(
  outcome: CompileOutcome,
  { address, durationMs }: { readonly address: CacheAddress; readonly durationMs: number },
): PreviewEvent {
  if (outcome.result.pdf === null) return { kind: 'failed', outcome }
  const { digests = [], editedPage = null, nextPageLine = null } = outcome.pages ?? {}
  const before = lastPages.find(address)?.digests ?? []
  const value = { digests, editedPage, nextPageLine, durationMs }
  lastPages.save(address, { value, sizeBytes: digests.length * BYTES_PER_DIGEST })
  const changedPages = digests.flatMap((digest, index) => (digest === before[index] ? [] : [index + 1]))
  return { kind: 'done', outcome, changedPages, editedPage }
}
