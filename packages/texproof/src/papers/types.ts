/** The joint of git and TeX: which documents a tree holds, their builds, their PDFs. */
import type { LimitEnforcement, PackageAnswer, TexInventory, WaitingStatus } from '@texproof/platex/project'

import type { Build, BuildRecord } from '../domain/build.ts'
import type { Repository } from '../domain/types.ts'
import type { NewJournalEntry } from '../store/repositories/push-journal.ts'
import type { FoundDocuments } from './detect/types.ts'
import type { PassTail } from './cache/pass-logs.ts'
import type { SynctexLookup } from './cache/synctex-indexes.ts'

/** A branch that a push has moved. */
export interface PushedBranch {
  readonly repository: Repository
  /** Full ref name. */
  readonly ref: string
  readonly commitId: string
}

/** What a push is told while it waits: a line that stays, or progress that the next news overwrites. */
export interface PushNews {
  readonly kind: 'line' | 'progress'
  readonly text: string
}

/**
 * How a shown PDF stands to its ref:
 * `current` = of the newest build, without errors; `flawed` = of the newest build, with errors and no better one ever;
 * `building` = the newest build is not over; `older` = the newest build failed, so this is the last good one;
 * `behind` = the ref has moved on and nothing was built since.
 */
export type PdfStatus = 'current' | 'flawed' | 'building' | 'older' | 'behind'

/** One document of a ref, as a reader meets it. */
export interface Paper {
  /** The newest push's build of every document, the first one first. */
  readonly documents: readonly BuildRecord[]
  /** Name of this one. */
  readonly document: string
  /** Newest build of this document on this ref, finished or not. */
  readonly newest: Build
  /** What is shown; null when no build has given a PDF yet. */
  readonly shown: { readonly build: Build; readonly standing: PdfStatus } | null
  /** Whose first page stands for all documents: this one if it is up to date, else the first one that is. */
  readonly cover: BuildRecord | null
}

/** A ref to look at; `commitId` is where it points now. */
export interface PaperRef {
  readonly ref: string
  readonly commitId: string
  /** null = the first document. */
  readonly document: string | null
}

/** A file of the cache, ready to be sent. */
export interface StoredFile {
  /** Absolute. */
  readonly path: string
  readonly sizeBytes: number
}

/** The builds that a push asked for. */
export interface QueuedPush {
  readonly branch: PushedBranch
  readonly found: FoundDocuments
  /** One a document, in the same order; already over where the same files were built before. */
  readonly builds: readonly Build[]
}

/** What came of moving refs. */
export interface MovedRefs<Outcome> {
  readonly outcome: Outcome
  /** The builds of each branch and tag that moved; empty where settling failed and is tried again. */
  readonly queued: readonly QueuedPush[]
}

/** A commit that somebody wants to read as PDF. */
export interface WantedPaper {
  readonly repository: Repository
  /** Full name of the branch or tag, or the commit id where it was asked for by that. */
  readonly ref: string
  readonly commitId: string
}

/**
 * What comes of asking: `busy` = too many of the repository wait already; `nothing` = there is no document; `disabled` =
 * nothing of the repository is built.
 */
export type RequestOutcome = 'asked' | 'nothing' | 'busy' | 'disabled'

export interface Papers {
  /**
   * Moves refs: `work` lets git move them, all or some of those that are named. Then what follows a push is done, as far as
   * they moved, also where the work fails. What a crash or a fault leaves undone is done later, see `ref-moves.ts`.
   */
  moveRefs<Outcome>(move: NewJournalEntry, work: () => Promise<Outcome>): Promise<MovedRefs<Outcome>>
  /** Finds the documents at the branch's commit and queues a build of each. */
  queuePushedBranch(branch: PushedBranch): Promise<QueuedPush>
  /**
   * Makes a repository available again by `work`, then queues builds of its branches and tags that have none. What a crash
   * or a fault leaves undone is done at the next start.
   */
  reopen<Outcome>(repositoryId: number, work: () => Promise<Outcome>): Promise<Outcome>
  /** Asks for a build of every document of one commit, unless one is there or under way. */
  requestBuild(wanted: WantedPaper): Promise<RequestOutcome>
  /** Tells what was found and what comes of it; ends when all is built or when `patience` fires. */
  watchPush(push: QueuedPush, options: { readonly patience: AbortSignal }): AsyncIterable<PushNews>
  /** null when nothing of the ref was ever built. */
  findPaper(repositoryId: number, of: PaperRef): Promise<Paper | null>
  /** The document as built from one commit, whatever ref asked for it; null when it never was. */
  findPaperOfCommit(repositoryId: number, of: { commitId: string; document: string | null }): Promise<Paper | null>
  /** null when the cache has lost it. */
  findPdfFile(pdfId: string): Promise<StoredFile | null>
  /** A page of a PDF as PNG, drawn if need be; null when it cannot be drawn. `widthPx` is one of `pictureWidths`. */
  findPicture(pdfId: string, picture: { readonly page: number; readonly widthPx: number }): Promise<StoredFile | null>
  /** Which line of the source each place of a build's PDF comes from; null when the cache has lost it. */
  findSynctex(build: Build, options: { readonly ownerId: string }): Promise<SynctexLookup | null>
  /** Every pass of a build with the end of its log; null when the cache has lost it or the build is not over. */
  findPassTails(
    buildId: number,
    options: { readonly ownerId: string; readonly length: number },
  ): Promise<readonly PassTail[] | null>
  /** What one pass printed; null when the cache has lost it. */
  findPassLog(
    buildId: number,
    options: { readonly ownerId: string; readonly passNumber: number },
  ): Promise<string | null>
  /** Bytes of what builds have left on disk: PDFs, pictures, logs. */
  measureCache(): Promise<number>
  /** What there is of TeX to build with. */
  texInventory(): Promise<TexInventory>
  /** What enforces the disk and memory limits of a build. */
  readonly limits: LimitEnforcement
  /** Engines that wait for documents. */
  waitingEngines(): WaitingStatus
  /** Whether documents can load a package or class of this name. */
  findTexPackage(name: string): Promise<PackageAnswer>
  /** Bytes of the repository's PDFs on disk. */
  measurePdfs(repositoryId: number): Promise<number>
  /** What a running build does at this moment, for a person; null when it is not running. */
  describeProgress(buildId: number): string | null
  /** Ends one build that waits or runs, for good; nothing where it is not here. */
  stopBuild(buildId: number): Promise<void>
  /** Stops running builds; they start again at the next start. */
  close(): Promise<void>
}
