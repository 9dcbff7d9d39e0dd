import type { Engine, WarningCode } from '../../src/base/types.ts'

/** One broken document and its expected diagnostics. */
export interface BrokenDocument {
  /** The mistake, in a few words. */
  readonly title: string
  /** @default all three */
  readonly engines?: readonly Engine[]
  /** Engine passes. @default 1 */
  readonly passes?: number
  /** `main.tex` and the other files that it reads. */
  readonly files: Readonly<Record<string, string>>
  /** File, line and whole message of every error, in order. */
  readonly errors: readonly ExpectedError[]
  /** Code, file and line of every warning, in order. Bad boxes depend on fonts and are ignored unless listed. */
  readonly warnings?: readonly ExpectedWarning[]
}

export type ExpectedError = readonly [file: string, line: number | null, message: string]
export type ExpectedWarning = readonly [code: WarningCode, file: string | null, line: number | null]
