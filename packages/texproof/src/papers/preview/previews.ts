/**
 * Previews: compiles of a branch with the drafts of one user, without a commit. They are kept in memory for their user
 * only and share nothing between repositories.
 *
 * A newer preview of the same user cancels the older one. Builds of pushes go first: a preview waits while builds hold
 * every slot, and gives its slot back when a build needs it.
 */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

import type { ProjectCompiler } from '@texproof/platex/project'
import { LRUCache } from 'lru-cache'

import type { Config } from '../../config/read-config.ts'
import type { Build, BuildProblem } from '../../domain/build.ts'
import type { GitStore } from '../../git/types.ts'
import type { BuildCache } from '../cache/build-cache.ts'
import { documentTime } from '../build/document-time.ts'
import { readTreeFiles } from '../build/read-tree-files.ts'

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
  /** Aborts when the client has left. */
  readonly signal: AbortSignal
}

/** `cancelled` = replaced by a newer preview. `refused` = the repository exceeds a limit of builds. */
export type PreviewOutcome =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'refused'; readonly message: string }
  | {
      readonly kind: 'compiled'
      /** Identifies the PDF, for `find`; null = there is none. */
      readonly previewId: string | null
      readonly problems: readonly BuildProblem[]
    }

export interface Previews {
  compile(request: PreviewRequest): Promise<PreviewOutcome>
  /** The PDF of the newest preview of a user; null if it is another one, or no longer in memory. */
  find(at: { readonly userId: string; readonly repositoryId: number; readonly previewId: string }): Uint8Array | null
  close(): Promise<void>
}

/** The last preview of a user. */
interface KeptPreview {
  readonly repositoryId: number
  readonly rootFile: string
  readonly previewId: string | null
  readonly pdf: Uint8Array | null
  readonly aux: ReadonlyMap<string, Uint8Array>
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
  /** Builds of pushes that run or wait. */
  readonly countBuilds: () => number
}

const MAX_KEPT_BYTES = 128_000_000
const MAX_PROBLEMS = 200
/** How often a preview checks whether a build needs its slot. */
const LOOK_EVERY_MS = 100

/** Why a preview stopped before its end: a build needed its slot. */
const POSTPONED = Symbol('postponed')

/** Creates the previews of a host. */
export function createPreviews({ config, git, compiler, cache, countBuilds }: PreviewTools): Previews {
  const kept = new LRUCache<string, KeptPreview>({ maxSize: MAX_KEPT_BYTES, sizeCalculation: sizeOf })
  const running = new Map<string, Running>()
  let compiling = 0

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
    const { userId, ownerId, build, commitId, drafts } = request
    const { maxFiles, maxBytes } = config.build
    const tree = await readTreeFiles(git, build.repositoryId, { commitId, maxFiles, maxBytes })
    if (tree.kind === 'refused') return { kind: 'refused', message: tree.message }
    const files = new Map(tree.files)
    for (const [path, text] of drafts) files.set(path, Buffer.from(text))
    if (!files.has(build.rootFile)) return { kind: 'refused', message: `${build.rootFile} is not on the branch.` }
    const last = kept.get(userId)
    const isSame = last?.repositoryId === build.repositoryId && last.rootFile === build.rootFile
    const warmStartFiles = isSame && last.aux.size > 0 ? last.aux : await cache.findAux(build)
    const time = documentTime(Date.now(), files)
    const tenant = `repository ${build.repositoryId}`
    const job = {
      rootFile: build.rootFile,
      files,
      engine: build.engine,
      bibliography: build.bibliography,
      timeoutMs: config.build.timeoutMs,
      synctex: false,
      requester: ownerId,
      tenant,
      sourceDateEpoch: time.epoch,
      ...(warmStartFiles === null ? {} : { warmStartFiles }),
      signal,
    }
    const document = { owner: tenant, key: `preview of ${userId}`, isWorthwhile: () => countBuilds() === 0 }
    const { result, aux } = await compiler.compile(job, time.isOfWholeDay ? document : undefined)
    signal.throwIfAborted()
    const previewId = result.pdf === null ? null : createHash('sha256').update(result.pdf).digest('hex')
    kept.set(userId, {
      repositoryId: build.repositoryId,
      rootFile: build.rootFile,
      previewId: previewId ?? (isSame ? last.previewId : null),
      pdf: result.pdf ?? (isSame ? last.pdf : null),
      // After an error, the files of the last good compile save more.
      aux: (aux.size > 0 && result.errors.length === 0) || !isSame ? aux : last.aux,
    })
    return { kind: 'compiled', previewId, problems: [...result.errors, ...result.warnings].slice(0, MAX_PROBLEMS) }
  }

  return {
    compile,
    find({ userId, repositoryId, previewId }) {
      const preview = kept.get(userId)
      return preview?.repositoryId === repositoryId && preview.previewId === previewId ? preview.pdf : null
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

function sizeOf({ pdf, aux }: KeptPreview): number {
  const auxBytes = [...aux.values()].reduce((sum, bytes) => sum + bytes.byteLength, 0)
  return 1_000 + (pdf?.byteLength ?? 0) + auxBytes
}
