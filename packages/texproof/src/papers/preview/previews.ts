/**
 * Previews: compiles of a branch with the drafts of one user, without a commit. They are kept in memory for their user
 * only and share nothing between repositories.
 *
 * A newer preview of the same user cancels the older one. Builds of pushes go first: a preview waits while builds hold
 * every slot, and gives its slot back when a build needs it. The edited page comes before the whole document (ADR 26).
 */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

import type { CompileOutcome, PreviewEvent, ProjectCompiler, SourceLine } from '@texproof/platex/project'
import { LRUCache } from 'lru-cache'

import type { Config } from '../../config/read-config.ts'
import type { Build, BuildProblem } from '../../domain/build.ts'
import type { GitStore } from '../../git/types.ts'
import type { SynctexIndexes, SynctexLookup } from '../cache/synctex-indexes.ts'
import type { BuildCache } from '../cache/build-cache.ts'
import { readTreeFiles } from '../build/read-tree-files.ts'
import type { TreeFiles } from '../build/read-tree-files.ts'

/** What to compile. */
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

/** `cancelled` = replaced by a newer preview. `refused` = the repository exceeds a limit of builds. */
export type PreviewOutcome =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'refused'; readonly message: string }
  | {
      readonly kind: 'compiled'
      /** Identifies the PDF, for `find`; null = there is none. */
      readonly previewId: string | null
      /** The PDF that `changedPages` compares with; null = there is none. */
      readonly previousId: string | null
      /** Pages that differ from those of the previous PDF, 1-based. */
      readonly changedPages: readonly number[]
      readonly problems: readonly BuildProblem[]
    }

export interface Previews {
  compile(request: PreviewRequest): Promise<PreviewOutcome>
  /** The PDF or the edited page of the newest preview of a user; null if it is another one, or no longer in memory. */
  find(at: { readonly userId: string; readonly repositoryId: number; readonly previewId: string }): Uint8Array | null
  /** Maps places of the newest preview of a user to source lines; null as for `find`. */
  findSynctex(at: {
    readonly userId: string
    readonly repositoryId: number
    readonly previewId: string
  }): Promise<PreviewSynctex | null>
  close(): Promise<void>
}

export interface PreviewSynctex {
  readonly lookup: SynctexLookup
  /** Paths that the preview was compiled from. */
  readonly paths: ReadonlySet<string>
}

/** The last preview of a user. */
interface KeptPreview {
  readonly repositoryId: number
  readonly rootFile: string
  readonly previewId: string | null
  readonly pdf: Uint8Array | null
  /** Of `pdf`. */
  readonly synctex: KeptSynctex | null
  /** The edited page of a later compile. */
  readonly page: { readonly previewId: string; readonly pdf: Uint8Array } | null
}

interface KeptSynctex {
  readonly bytes: Uint8Array
  /** Differs for every compile: an edit can move lines without a change of the PDF. */
  readonly key: string
  readonly ownerId: string
  readonly paths: ReadonlySet<string>
}

type PageEvent = Extract<PreviewEvent, { readonly kind: 'page' }>

/** The end of a compile, with or without a PDF. */
interface EndEvent {
  readonly outcome: CompileOutcome
  readonly changedPages?: readonly number[]
}

interface Running {
  readonly abort: AbortController
  readonly over: Promise<unknown>
}

export interface PreviewTools {
  readonly config: Config
  readonly git: GitStore
  readonly compiler: ProjectCompiler
  readonly cache: BuildCache
  readonly synctexes: Pick<SynctexIndexes, 'index'>
  /** Builds of pushes that run or wait. */
  readonly countBuilds: () => number
}

const MAX_KEPT_BYTES = 128_000_000
const MAX_TREE_BYTES = 64_000_000
const MAX_PROBLEMS = 200
/** How often a preview checks whether a build needs its slot. */
const LOOK_EVERY_MS = 100

/** Why a preview stopped before its end: a build needed its slot. */
const POSTPONED = Symbol('postponed')

/** Creates the previews of a host. */
export function createPreviews({ config, git, compiler, cache, synctexes, countBuilds }: PreviewTools): Previews {
  const kept = new LRUCache<string, KeptPreview>({ maxSize: MAX_KEPT_BYTES, sizeCalculation: sizeOf })
  const trees = new LRUCache<string, ReadonlyMap<string, Uint8Array>>({
    maxSize: MAX_TREE_BYTES,
    sizeCalculation: (files) => 1 + [...files.values()].reduce((sum, bytes) => sum + bytes.byteLength, 0),
  })
  const running = new Map<string, Running>()
  let compiling = 0
  let compileCount = 0

  async function compile(request: PreviewRequest): Promise<PreviewOutcome> {
    const { userId, signal } = request
    const abort = new AbortController()
    const before = running.get(userId)
    before?.abort.abort()
    const over = run(request, AbortSignal.any([abort.signal, signal]), before?.over)
    // Its caller gets the error; a newer preview only waits for the end.
    const own = { abort, over: over.catch(() => null) }
    running.set(userId, own)
    try {
      return await over
    } finally {
      if (running.get(userId) === own) running.delete(userId)
    }
  }

  async function run(request: PreviewRequest, signal: AbortSignal, before?: Promise<unknown>): Promise<PreviewOutcome> {
    await before
    for (;;) {
      while (!signal.aborted && compiling + countBuilds() >= config.build.concurrency)
        // Rejects only when the preview is cancelled, which the loop detects.
        await delay(LOOK_EVERY_MS, null, { signal }).catch(() => null)
      if (signal.aborted) return { kind: 'cancelled' }
      const outcome = await compileInSlot(request, signal)
      if (outcome !== POSTPONED) return outcome
    }
  }

  /** Gives the slot back as soon as builds need all of them. */
  async function compileInSlot(
    request: PreviewRequest,
    signal: AbortSignal,
  ): Promise<PreviewOutcome | typeof POSTPONED> {
    const yielded = new AbortController()
    const look = setInterval(() => {
      if (compiling + countBuilds() > config.build.concurrency) yielded.abort()
    }, LOOK_EVERY_MS)
    compiling += 1
    try {
      return await compileDrafts(request, AbortSignal.any([signal, yielded.signal]))
    } catch (error) {
      if (signal.aborted) return { kind: 'cancelled' }
      if (yielded.signal.aborted) return POSTPONED
      throw error
    } finally {
      compiling -= 1
      clearInterval(look)
    }
  }

  async function compileDrafts(request: PreviewRequest, signal: AbortSignal): Promise<PreviewOutcome> {
    const { userId, ownerId, build, drafts, edited } = request
    const tree = await readTree(request)
    if (tree.kind === 'refused') return { kind: 'refused', message: tree.message }
    if (!tree.files.has(build.rootFile) && !drafts.has(build.rootFile))
      return { kind: 'refused', message: `${build.rootFile} is not on the branch.` }
    const warmStartFiles = findKept(request) === null ? await cache.findAux(build) : null
    const events = compiler.preview({
      rootFile: build.rootFile,
      files: tree.files,
      overlay: new Map([...drafts].map(([path, text]) => [path, Buffer.from(text)])),
      engine: build.engine,
      bibliography: build.bibliography,
      timeoutMs: config.build.timeoutMs,
      requester: ownerId,
      owner: `repository ${build.repositoryId}`,
      session: userId,
      ...(edited === null ? {} : { edited }),
      ...(warmStartFiles === null ? {} : { warmStartFiles }),
      signal,
    })
    for await (const event of events) {
      signal.throwIfAborted()
      if (event.kind === 'page') keepPage(request, event)
      else if (event.kind !== 'cancelled')
        return keepOutcome(request, event, new Set([...tree.files.keys(), ...drafts.keys()]))
    }
    signal.throwIfAborted()
    return { kind: 'cancelled' }
  }

  /** The files of the commit: the same arrays at every keystroke. */
  async function readTree({ build, commitId }: PreviewRequest): Promise<TreeFiles> {
    const key = `${build.repositoryId} ${commitId}`
    const known = trees.get(key)
    if (known !== undefined) return { kind: 'read', files: known }
    const { maxFiles, maxBytes } = config.build
    const tree = await readTreeFiles(git, build.repositoryId, { commitId, maxFiles, maxBytes })
    if (tree.kind === 'read') trees.set(key, tree.files)
    return tree
  }

  /** The last preview of the same document. */
  function findKept({ userId, build }: PreviewRequest): KeptPreview | null {
    const last = kept.get(userId)
    return last?.repositoryId === build.repositoryId && last.rootFile === build.rootFile ? last : null
  }

  function keepPage(request: PreviewRequest, { pdf, firstPage, editedPage }: PageEvent): void {
    if (editedPage === null) return
    const { userId, build, onPage } = request
    const previewId = digest(pdf)
    const { repositoryId, rootFile } = build
    const last = findKept(request) ?? { repositoryId, rootFile, previewId: null, pdf: null, synctex: null }
    kept.set(userId, { ...last, page: { previewId, pdf } })
    onPage({ previewId, firstPage, editedPage })
  }

  function keepOutcome(
    request: PreviewRequest,
    { outcome, ...event }: EndEvent,
    paths: ReadonlySet<string>,
  ): PreviewOutcome {
    const { result, synctex } = outcome
    compileCount += 1
    const key = `preview ${compileCount} of ${request.userId}`
    const newest = synctex === null ? null : { bytes: synctex, key, ownerId: request.ownerId, paths }
    const { repositoryId, rootFile } = request.build
    const last = findKept(request)
    const previewId = result.pdf === null ? null : digest(result.pdf)
    kept.set(request.userId, {
      repositoryId,
      rootFile,
      previewId: previewId ?? last?.previewId ?? null,
      pdf: result.pdf ?? last?.pdf ?? null,
      synctex: result.pdf === null ? (last?.synctex ?? null) : newest,
      page: null,
    })
    return {
      kind: 'compiled',
      previewId,
      previousId: last?.previewId ?? null,
      changedPages: event.changedPages ?? [],
      problems: [...result.errors, ...result.warnings].slice(0, MAX_PROBLEMS),
    }
  }

  return {
    compile,
    find({ userId, repositoryId, previewId }) {
      const preview = kept.get(userId)
      if (preview?.repositoryId !== repositoryId) return null
      return preview.previewId === previewId
        ? preview.pdf
        : preview.page?.previewId === previewId
          ? preview.page.pdf
          : null
    },
    async findSynctex({ userId, repositoryId, previewId }) {
      const preview = kept.get(userId)
      if (preview?.repositoryId !== repositoryId || preview.previewId !== previewId) return null
      if (preview.synctex === null) return null
      const { bytes, key, ownerId, paths } = preview.synctex
      const lookup = await synctexes.index(bytes, { key, ownerId })
      return lookup && { lookup, paths }
    },
    async close() {
      const ends = [...running.values()].map(({ abort, over }) => {
        abort.abort()
        return over
      })
      await Promise.all(ends)
    },
  }
}

function sizeOf({ pdf, synctex, page }: KeptPreview): number {
  return 1_000 + (pdf?.byteLength ?? 0) + (synctex?.bytes.byteLength ?? 0) + (page?.pdf.byteLength ?? 0)
}

function digest(pdf: Uint8Array): string {
  return createHash('sha256').update(pdf).digest('hex')
}
