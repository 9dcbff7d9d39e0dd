import type { CompileResult } from '@texproof/platex'
import type { CompileProgress } from '@texproof/platex/project'

import type { ExitCode } from '../../exit-codes.ts'

/** A compile that came to a result, good or bad. */
export interface FinishedCompile {
  /** The root document. */
  readonly title: string
  readonly result: CompileResult
  /** Where the PDF is, as a person would type it; null when none was written to a file. */
  readonly output: string | null
  readonly durationMs: number
  readonly exitCode: ExitCode
  /** A line of the source (1-based), to show under a problem; null when there is no such line. */
  readonly readLine: (file: string, line: number) => string | null
}

/** Somebody who follows compiles: the terminal, a program that reads events, the preview page. */
export interface CompileReporter {
  onStart(title: string): void
  onProgress(progress: CompileProgress): void
  onEnd(finished: FinishedCompile): void
  /** The compile was cancelled: another one follows, or the command ends. */
  onCancel(): void
  /** There is no result, for a reason outside the document. */
  onFailure(failure: { readonly message: string; readonly exitCode: ExitCode }): void
}

/** One follower that passes everything on to several, in their order. */
export function joinReporters(followers: readonly CompileReporter[]): CompileReporter {
  return {
    onStart: (title) => followers.forEach((follower) => follower.onStart(title)),
    onProgress: (progress) => followers.forEach((follower) => follower.onProgress(progress)),
    onEnd: (finished) => followers.forEach((follower) => follower.onEnd(finished)),
    onCancel: () => followers.forEach((follower) => follower.onCancel()),
    onFailure: (failure) => followers.forEach((follower) => follower.onFailure(failure)),
  }
}
