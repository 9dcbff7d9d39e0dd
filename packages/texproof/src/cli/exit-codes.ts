/** Exit codes of the commands. */
export const exitCodes = {
  good: 0,
  /** No PDF, or the command failed. */
  failed: 1,
  /** Wrong usage or configuration. */
  usage: 2,
  /** There is a PDF, and LaTeX reported errors. */
  pdfWithErrors: 3,
  timedOut: 4,
  /** The compile service is unreachable, or stays busy. */
  unreachable: 5,
  /** Input above a limit. */
  tooLarge: 6,
  noEngine: 7,
  /** More warnings than `--max-warnings`. */
  tooManyWarnings: 8,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
