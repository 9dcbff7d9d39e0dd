import type { BibEngine, ProjectEngine, LatexError, LatexWarning } from '@texproof/platex'

/** `succeeded` = a PDF without errors. `failed` = errors, perhaps with a PDF. */
export type BuildState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'

/** An error or a warning of a build, with an explanation if the compiler has one. */
export type BuildProblem = LatexError | LatexWarning

/** One build of one document at one commit, without its diagnostics. Times are epoch milliseconds. */
export interface BuildRecord {
  readonly id: number
  readonly repositoryId: number
  /** 1, 2, 3 … within the repository. */
  readonly number: number
  /** Full name of the ref that requested it. */
  readonly ref: string
  readonly commitId: string
  readonly treeId: string
  readonly rootFile: string
  /** Name of the PDF without `.pdf`. */
  readonly document: string
  readonly engine: ProjectEngine
  readonly bibliography: BibEngine
  /** Why this document, engine and bibliography tool were chosen, as text. */
  readonly reason: string
  readonly state: BuildState
  /** SHA-256 of the PDF, hex; null without one. */
  readonly pdfId: string | null
  readonly pageCount: number | null
  readonly errorCount: number
  readonly warningCount: number
  readonly createdAt: number
  readonly startedAt: number | null
  readonly finishedAt: number | null
}

/** One build with its diagnostics, of which there may be hundreds. Lists use `BuildRecord`. */
export interface Build extends BuildRecord {
  readonly errors: readonly LatexError[]
  readonly warnings: readonly LatexWarning[]
  readonly passes: readonly BuildPass[]
}

/** A problem of a commit, with the builds of all documents that reported it. */
export type CommitProblem = BuildProblem & { readonly builds: readonly BuildRecord[] }

/** The problems of all documents of one commit. */
export interface CommitProblems {
  readonly documentCount: number
  /** Sorted by document, with errors before warnings. */
  readonly problems: readonly CommitProblem[]
}

/** The result of a build, without its diagnostics. */
export interface BuildSummary {
  readonly commitId: string
  readonly document: string
  readonly state: BuildState
  readonly pdfId: string | null
  readonly warningCount: number
}

/** One run of one program within a build. */
export interface BuildPass {
  readonly program: string
  /** Why it ran, as text; null if the compiler did not say. */
  readonly reason: string | null
  readonly durationMs: number | null
  readonly exitCode: number
  readonly timedOut: boolean
}

/** A build before it has a number. */
export type NewBuild = Pick<
  Build,
  'repositoryId' | 'ref' | 'commitId' | 'treeId' | 'rootFile' | 'document' | 'engine' | 'bibliography' | 'reason'
>

/** The outcome of a finished build. */
export type BuildOutcome = Pick<Build, 'pdfId' | 'pageCount' | 'errors' | 'warnings' | 'passes'> & {
  readonly state: 'succeeded' | 'failed'
}

/** Whether a build waits in the queue or runs. */
export function isInProgress({ state }: Pick<BuildRecord, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}

/** The status of a build with errors: LaTeX may have made a PDF all the same. */
export function failureStatus({ pdfId }: Pick<BuildRecord, 'pdfId'>): 'failed' | 'built with errors' {
  return pdfId === null ? 'failed' : 'built with errors'
}
