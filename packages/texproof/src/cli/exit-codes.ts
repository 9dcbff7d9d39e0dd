/** What the command's exit code says, to scripts. */
export const exitCodes = {
  good: 0,
  /** No PDF, or the command could not do what it was asked. */
  failed: 1,
  /** Wrong use or configuration. */
  usage: 2,
  /** There is a PDF, and LaTeX reported errors. */
  pdfWithErrors: 3,
  timedOut: 4,
  /** The compile service cannot be reached, or stays busy. */
  unreachable: 5,
  /** Input above a limit. */
  tooLarge: 6,
  noEngine: 7,
  /** More warnings than `--max-warnings`. */
  tooManyWarnings: 8,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
