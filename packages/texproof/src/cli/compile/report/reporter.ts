import type { CompileResult } from '@texproof/platex'
import type { CompileProgress } from '@texproof/platex/project'

import type { ExitCode } from '../../exit-codes.ts'

/** A compile with a result, successful or not. */
export interface FinishedCompile {
  /** The root file. */
  readonly title: string
  readonly result: CompileResult
  /** Path of the PDF as the user would type it; null if none was written to a file. */
  readonly output: string | null
  readonly durationMs: number
  readonly exitCode: ExitCode
  /** A line of the source (1-based), to show under a problem; null if it does not exist. */
  readonly readLine: (file: string, line: number) => string | null
}

/** Observes compiles: the terminal, the event stream, the preview page. */
export interface CompileReporter {
  onStart(title: string): void
  onProgress(progress: CompileProgress): void
  onEnd(finished: FinishedCompile): void
  /** The compile was cancelled: another one follows, or the command ends. */
  onCancel(): void
  /** There is no result, for a reason unrelated to the document. */
  onFailure(failure: { readonly message: string; readonly exitCode: ExitCode }): void
}

/** A reporter that forwards everything to several, in order. */
export function joinReporters(followers: readonly CompileReporter[]): CompileReporter {
  return {
    onStart: (title) => followers.forEach((follower) => follower.onStart(title)),
    onProgress: (progress) => followers.forEach((follower) => follower.onProgress(progress)),
    onEnd: (finished) => followers.forEach((follower) => follower.onEnd(finished)),
    onCancel: () => followers.forEach((follower) => follower.onCancel()),
    onFailure: (failure) => followers.forEach((follower) => follower.onFailure(failure)),
  }
}
