/** Documents, their builds and their PDFs. */
import type { LimitEnforcement, PackageAnswer, TexInventory, WaitingStatus } from '@texproof/platex/project'

import type { Build, BuildRecord } from '../domain/build.ts'
import type { Repository } from '../domain/types.ts'
import type { NewJournalEntry } from '../store/repositories/push-journal.ts'
import type { RemoteBuilds } from './build/remote-builds.ts'
import type { FoundDocuments } from './detect/types.ts'
import type { PassTail } from './cache/pass-logs.ts'
import type { FoundFigure, WantedFigure } from './cache/figure-store.ts'
import type { WantedPicture } from './cache/page-image-store.ts'
import type { Previews } from './preview/previews.ts'
import type { SpareCompiler } from './build/spare-compiler.ts'
import type { SynctexLookup } from './cache/synctex-indexes.ts'

/** A branch that was moved by a push. */
export interface PushedBranch {
  readonly repository: Repository
  /** Full ref name. */
  readonly ref: string
  readonly commitId: string
}

/** A message of the push output: a line that stays, or progress that the next message overwrites. */
export interface PushNews {
  readonly kind: 'line' | 'progress'
  readonly text: string
}

/**
 * How a shown PDF relates to its ref: `current` = of the newest build, without errors; `flawed` = of the newest build,
 * with errors, and there is no PDF without; `building` = the newest build is not over; `older` = the newest build
 * failed, and this is the last good one; `behind` = the ref has moved and was not built since.
 */
export type PdfStatus = 'current' | 'flawed' | 'building' | 'older' | 'behind'

/** One document of a ref, as pages show it. */
export interface Paper {
  /** The builds of the newest push, one for each document, in order. */
  readonly documents: readonly BuildRecord[]
  /** Name of this document. */
  readonly document: string
  /** Newest build of this document on this ref, finished or not. */
  readonly newest: Build
  /** The PDF that is shown; null if no build has made one yet. */
  readonly shown: { readonly build: Build; readonly status: PdfStatus } | null
  /** The document whose first page represents all of them: this one if it is up to date, else the first one that is. */
  readonly cover: BuildRecord | null
}

/** The ref of a document; `commitId` is its current commit. */
export interface PaperRef {
  readonly ref: string
  readonly commitId: string
  /** null = the first document. */
  readonly document: string | null
}

/** A file of the cache that can be sent. */
export interface StoredFile {
  /** Absolute path. */
  readonly path: string
  readonly sizeBytes: number
}

/** The builds that a push has queued. */
export interface QueuedPush {
  readonly branch: PushedBranch
  readonly found: FoundDocuments
  /** One per document, in the same order; already over if the same files were built before. */
  readonly builds: readonly Build[]
  /** Whether nothing is queued because too many builds of the owner wait. */
  readonly isOverLimit: boolean
}

/** The outcome of moving refs. */
export interface MovedRefs<Outcome> {
  readonly outcome: Outcome
  /** The builds of each branch and tag that moved; empty if post-receive failed and is retried. */
  readonly queued: readonly QueuedPush[]
}

/** A commit whose PDF a user requests. */
export interface WantedPaper {
  readonly repository: Repository
  /** Full name of the branch or tag, or the commit id if the user requested that. */
  readonly ref: string
  readonly commitId: string
}

/**
 * The outcome of a build request: `busy` = too many builds of the repository or its owner wait already; `nothing` = there
 * is no document; `disabled` = the repository is disabled.
 */
export type RequestOutcome = 'asked' | 'nothing' | 'busy' | 'disabled'

export interface Papers {
  /**
   * Moves refs: `work` lets git move all or some of the named refs, while no other server moves refs of the repository.
   * Then post-receive runs for those that moved, even if the work fails. After a crash or a fault, the rest is done later,
   * see `move-refs.ts`. `locksLater` = the work calls `lockRefs` before git moves the first ref.
   */
  moveRefs<Outcome>(
    move: NewJournalEntry,
    work: (lockRefs: () => Promise<void>) => Promise<Outcome>,
    options?: { readonly locksLater?: boolean },
  ): Promise<MovedRefs<Outcome>>
  /** Whether no other server of the database was running at the start. */
  readonly isAlone: boolean
  /** Finds the documents at the branch's commit and queues a build of each. */
  queuePushedBranch(branch: PushedBranch): Promise<QueuedPush>
  /**
   * Makes a repository available again with `work`, then queues builds of its branches and tags that have none. After a
   * crash or a fault, the rest is done within minutes or at the next start.
   */
  reopen<Outcome>(repositoryId: number, work: () => Promise<Outcome>): Promise<Outcome>
  /** Requests a build of every document of one commit, unless the ref shows one or it is in progress. */
  requestBuild(wanted: WantedPaper): Promise<RequestOutcome>
  /** Reports the documents and the outcome of their builds; ends when all are built or when `patience` aborts. */
  watchPushes(pushes: readonly QueuedPush[], options: { readonly patience: AbortSignal }): AsyncIterable<PushNews>
  /** Null if the ref was never built. */
  findPaper(repositoryId: number, of: PaperRef): Promise<Paper | null>
  /** The document as built from one commit, whichever ref requested it; null if it was never built. */
  findPaperOfCommit(repositoryId: number, of: { commitId: string; document: string | null }): Promise<Paper | null>
  /** Null if it is not in the cache. */
  findPdfFile(pdfId: string): Promise<StoredFile | null>
  /**
   * A page of a PDF as PNG, drawn if necessary; null if it cannot be drawn.
   *
   * @throws TooManyWaiting
   */
  findPicture(picture: WantedPicture): Promise<StoredFile | null>
  /** The image of a figure in a repository, drawn if necessary. */
  findFigure(figure: WantedFigure): Promise<FoundFigure>
  /** Compiles a document with the drafts of a user. */
  readonly compilePreview: Previews['compile']
  /** The PDF of the newest preview of a document by a user. */
  readonly findPreview: Previews['find']
  /** SyncTeX of the newest preview of a document by a user. */
  readonly findPreviewSynctex: Previews['findSynctex']
  /** Compiles documents that are not builds. */
  readonly spareCompiler: SpareCompiler
  /** Maps places of a build's PDF to source lines; null if it is not in the cache. */
  findSynctex(build: Build, options: { readonly ownerId: string }): Promise<SynctexLookup | null>
  /** Every pass of a build with the end of its log; null if the build is not over or its logs are not in the cache. */
  findPassTails(
    buildId: number,
    options: { readonly ownerId: string; readonly length: number },
  ): Promise<readonly PassTail[] | null>
  /** The output of one pass; null if it is not in the cache. */
  findPassLog(
    buildId: number,
    options: { readonly ownerId: string; readonly passNumber: number },
  ): Promise<string | null>
  /** Removes the files of all builds of a repository that is permanently deleted; can be repeated. */
  removeBuildFiles(repositoryId: number): Promise<void>
  /** Bytes of build data on disk: PDFs, page images, logs. */
  measureCache(): Promise<number>
  /** The TeX installation of this host. */
  texInventory(): Promise<TexInventory>
  /** How the disk and memory limits of builds are enforced. */
  describeLimits(): Promise<LimitEnforcement>
  /** Status of the engines that wait for documents. */
  waitingEngines(): Promise<WaitingStatus>
  /** Whether documents can load a package or class of this name. */
  findTexPackage(name: string): Promise<PackageAnswer>
  /** Bytes of the repository's PDFs on disk. */
  measurePdfs(repositoryId: number): Promise<number>
  /** The current step of a running build, as text; null if it is not running. */
  describeProgress(buildId: number): string | null
  /** Requests of workers on other machines. */
  readonly remoteBuilds: RemoteBuilds
  /** Tells the waiting workers that there is no job, and those that come later: the host shuts down. */
  stopRemoteSlots(): void
  /** Ends one waiting or running build permanently. Does nothing if it is not in the queue. */
  stopBuild(buildId: number): Promise<void>
  /** Stops running builds; the next start runs them again. */
  close(): Promise<void>
}
