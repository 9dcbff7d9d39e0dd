/**
 * Previews: compiles of a branch with the drafts of one user, without a commit. They are kept in memory for their user
 * only and share nothing between repositories.
 *
 * A newer preview of a document by the same user cancels the older one, unless it is the same: two windows share it.
 * Builds of pushes go first: a preview waits while builds hold every slot, and gives its slot back when a build needs it.
 * The edited page comes before the whole document (ADR 26).
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import type { PreviewEvent, SourceLine } from '@texproof/platex/project'
import { LRUCache } from 'lru-cache'

import type { Config } from '../../config/read-config.ts'
import { createLimiter } from '../../base/limiter.ts'
import type { Build, BuildProblem } from '../../domain/build.ts'
import type { GitStore } from '../../git/types.ts'
import type { SynctexIndexes, SynctexLookup } from '../cache/synctex-indexes.ts'
import type { BuildCache } from '../cache/build-cache.ts'
import { readTreeFiles } from '../build/read-tree-files.ts'
import type { TreeFiles } from '../build/read-tree-files.ts'
import type { HostCompiler } from '../host-compiler.ts'
import { fitDrafts } from './fit-drafts.ts'
import { keepPreviews, nameOfDocument } from './kept-previews.ts'
import type { KeptPreviews, PreviewAddress } from './kept-previews.ts'
import { createPreviewSlots } from './preview-slots.ts'

/** Document to compile. */
export interface PreviewRequest {
  readonly userId: string
  readonly ownerId: string
  /** The build of the document on its branch: engine, root file and bibliography tool are as there. */
  readonly build: Build
  /** The commit below the drafts. */
  readonly commitId: string
  /** Texts by path, in place of the files of the commit. */
  readonly drafts: ReadonlyMap<string, string>
  /** The line of the last edit; null if unknown. */
  readonly edited: SourceLine | null
  /** Called with the edited page if it is ready before the whole document. */
  readonly onPage: (page: EditedPage) => void
  /** Aborts when the client has left. */
  readonly signal: AbortSignal
}

/** A PDF that contains the edited page, before the whole document is compiled. */
export interface EditedPage {
  /** Identifies the PDF, for `find`. */
  readonly previewId: string
  /** The page of the document that is the first one in this PDF. */
  readonly firstPage: number
  /** The edited page of the document. */
  readonly editedPage: number
}

/** `cancelled` = replaced by a newer preview of the document. `refused` = the repository exceeds a limit of builds. */
export type PreviewOutcome =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'refused'; readonly message: string }
  | {
      readonly kind: 'compiled'
      /** Identifies the PDF, for `find`; null = there is none. */
      readonly previewId: string | null
      /** The PDF that `changedPages` compares with; null = there is none. */
      readonly previousId: string | null
      /** Pages that differ from the previous PDF, 1-based. */
      readonly changedPages: readonly number[]
      readonly problems: readonly BuildProblem[]
      /** Paths of drafts that the preview lacks: the branch has a folder in place of the file, or a file in place of a folder. */
      readonly omittedDrafts: readonly string[]
    }

export interface Previews {
  compile(request: PreviewRequest): Promise<PreviewOutcome>
  /** The PDF or the edited page of the newest preview of a document; null if it is another one, or no longer in memory. */
  find(address: PreviewAddress): Uint8Array | null
  /** Maps places of the newest preview of a document to source lines; null as for `find`. */
  findSynctex(address: PreviewAddress): Promise<PreviewSynctex | null>
  close(): Promise<void>
}

export interface PreviewSynctex {
  readonly lookup: SynctexLookup
  /** Paths that the preview was compiled from. */
  readonly paths: ReadonlySet<string>
}

interface Running {
  readonly request: PreviewRequest
  /** The windows that wait for it. */
  readonly waiting: Set<PreviewRequest>
  readonly abort: AbortController
  readonly outcome: Promise<PreviewOutcome>
}

export interface PreviewTools {
  readonly config: Config
  readonly git: GitStore
  readonly compiler: Pick<HostCompiler, 'preview'>
  readonly cache: BuildCache
  readonly synctexes: Pick<SynctexIndexes, 'index'>
  /** Builds of pushes that run or wait. */
  readonly countBuilds: () => number
}

/**
 * While its author types on, a preview that was replaced is soon replaced again. The wait leaves the engines that have
 * read ahead to the last one, and the processors to those that read ahead again.
 */
const TYPING_PAUSE_MS = 250
const MAX_TREE_BYTES = 64_000_000
const MAX_PROBLEMS = 200

/** Creates the previews of a host. */
export function createPreviews(tools: PreviewTools): Previews {
  const { config, synctexes, countBuilds } = tools
  const kept = keepPreviews()
  const slots = createPreviewSlots(config.build.concurrency, countBuilds)
  const readTree = cacheTrees(tools)
  // A user who previews several documents leaves a slot to the others.
  const turns = createLimiter({ atOncePerKey: Math.max(1, config.build.concurrency - 1) })
  const running = new Map<string, Running>()

  function start(request: PreviewRequest, before: Running | undefined): Running {
    const abort = new AbortController()
    const { signal } = abort
    const waiting = new Set<PreviewRequest>()
    const onPage = (page: EditedPage): void => {
      for (const each of waiting) each.onPage(page)
    }
    const run = async (): Promise<PreviewOutcome> => {
      // Its callers get the error.
      await before?.outcome.catch(() => null)
      // Rejects only when the preview is cancelled, which the slots detect.
      if (before !== undefined) await sleep(TYPING_PAUSE_MS, null, { signal }).catch(() => null)
      const compile = (): Promise<PreviewOutcome | null> =>
        slots.run(signal, (limited) =>
          compileDrafts(tools, { ...request, onPage }, { kept, readTree, signal: limited }),
        )
      const outcome = await turns.run(request.userId, compile, { signal }).catch((error: unknown) => {
        if (signal.aborted) return null
        throw error
      })
      return outcome ?? { kind: 'cancelled' }
    }
    return { request, waiting, abort, outcome: run() }
  }

  return {
    async compile(request) {
      const name = nameOfDocument(request)
      const before = running.get(name)
      if (before !== undefined && isSame(before, request)) return waitFor(before, request)
      before?.abort.abort()
      const own = start(request, before)
      running.set(name, own)
      try {
        return await waitFor(own, request)
      } finally {
        if (running.get(name) === own) running.delete(name)
      }
    },
    find: (address) => kept.findPdf(address),
    async findSynctex(address) {
      const found = kept.findSynctex(address)
      if (found === null) return null
      const { bytes, key, ownerId, paths } = found
      const lookup = await synctexes.index(bytes, { key, ownerId })
      return lookup && { lookup, paths }
    },
    async close() {
      for (const { abort } of running.values()) abort.abort()
      // Its callers get an error.
      await Promise.allSettled([...running.values()].map(({ outcome }) => outcome))
    },
  }
}

/** Whether a running preview has the result of a request. */
function isSame({ request: { build, commitId, drafts }, abort }: Running, requested: PreviewRequest): boolean {
  if (abort.signal.aborted || build.id !== requested.build.id || commitId !== requested.commitId) return false
  if (drafts.size !== requested.drafts.size) return false
  return [...drafts].every(([path, text]) => requested.drafts.get(path) === text)
}

/** The outcome of a preview, which is cancelled when its last client disconnects. */
function waitFor({ waiting, abort, outcome }: Running, request: PreviewRequest): Promise<PreviewOutcome> {
  const leave = (): void => {
    waiting.delete(request)
    if (waiting.size === 0) abort.abort()
  }
  waiting.add(request)
  if (request.signal.aborted) leave()
  else request.signal.addEventListener('abort', leave, { once: true })
  return outcome
}

type ReadTree = (request: PreviewRequest) => Promise<TreeFiles>

/** The files of a commit: the same arrays at every keystroke. */
function cacheTrees({ git, config }: PreviewTools): ReadTree {
  const trees = new LRUCache<string, Extract<TreeFiles, { readonly kind: 'read' }>>({
    maxSize: MAX_TREE_BYTES,
    sizeCalculation: ({ files }) => 1 + [...files.values()].reduce((sum, bytes) => sum + bytes.byteLength, 0),
  })
  return async ({ build, commitId }) => {
    const key = `${build.repositoryId} ${commitId}`
    const known = trees.get(key)
    if (known !== undefined) return known
    const { maxFiles, maxBytes } = config.build
    const tree = await readTreeFiles(git, build.repositoryId, { commitId, maxFiles, maxBytes })
    if (tree.kind === 'read') trees.set(key, tree)
    return tree
  }
}

interface DraftCompile {
  readonly kept: KeptPreviews
  readonly readTree: ReadTree
  readonly signal: AbortSignal
}

/** @throws the reason of the signal. */
async function compileDrafts(
  { config, compiler, cache }: PreviewTools,
  request: PreviewRequest,
  { kept, readTree, signal }: DraftCompile,
): Promise<PreviewOutcome> {
  const { ownerId, build, drafts, edited } = request
  const tree = await readTree(request)
  if (tree.kind === 'refused') return { kind: 'refused', message: tree.message }
  const { fitting, omitted } = fitDrafts(tree.files.keys(), drafts)
  if (!tree.files.has(build.rootFile) && !fitting.has(build.rootFile))
    return { kind: 'refused', message: `${build.rootFile} is not on the branch.` }
  const warmStartFiles = kept.has(request) ? null : await cache.findAux(build)
  const events = compiler.preview({
    rootFile: build.rootFile,
    files: tree.files,
    overlay: new Map([...fitting].map(([path, text]) => [path, Buffer.from(text)])),
    engine: build.engine,
    bibliography: build.bibliography,
    timeoutMs: config.build.timeoutMs,
    requester: ownerId,
    owner: `repository ${build.repositoryId}`,
    session: nameOfDocument(request),
    ...(edited === null ? {} : { edited }),
    ...(warmStartFiles === null ? {} : { warmStartFiles }),
    signal,
  })
  const paths = new Set([...tree.files.keys(), ...fitting.keys()])
  for await (const event of events) {
    signal.throwIfAborted()
    if (event.kind === 'page') reportPage(kept, request, event)
    else if (event.kind !== 'cancelled') return toOutcome(kept, request, { event, paths, omitted })
  }
  signal.throwIfAborted()
  return { kind: 'cancelled' }
}

function reportPage(
  kept: KeptPreviews,
  request: PreviewRequest,
  { pdf, firstPage, editedPage }: Extract<PreviewEvent, { readonly kind: 'page' }>,
): void {
  if (editedPage === null) return
  request.onPage({ previewId: kept.keepPage(request, pdf), firstPage, editedPage })
}

function toOutcome(
  kept: KeptPreviews,
  request: PreviewRequest,
  {
    event,
    paths,
    omitted,
  }: {
    readonly event: Extract<PreviewEvent, { readonly kind: 'done' | 'failed' }>
    readonly paths: ReadonlySet<string>
    readonly omitted: readonly string[]
  },
): PreviewOutcome {
  const { result, synctex: bytes } = event.outcome
  const key = `preview ${randomUUID()}`
  const synctex = bytes === null ? null : { bytes, key, ownerId: request.ownerId, paths }
  return {
    kind: 'compiled',
    ...kept.keepResult(request, { pdf: result.pdf, synctex }),
    changedPages: event.kind === 'done' ? event.changedPages : [],
    problems: [...result.errors, ...result.warnings].slice(0, MAX_PROBLEMS),
    omittedDrafts: omitted,
  }
}
