import type { BibEngine, Engine } from '@texproof/platex'

/** The documentation of one kind of problem, with a document that has it and a fixed document. */
export interface ErrorPage {
  /** One of `diagnosticCodes`. */
  readonly code: string
  /** Description of the error in plain words. */
  readonly title: string
  /** The cause, for readers who do not know TeX. */
  readonly means: string
  /** How to fix it. */
  readonly fix: string
  /** Null if no document causes it on a complete installation. */
  readonly example: ErrorExample | null
}

/** A document, the message that TeX prints, and the fixed document. */
export interface ErrorExample {
  readonly source: string
  /** The message as TeX prints it, in one line. A test compares it with what TeX prints. */
  readonly says: string
  /** Text of TeX's log around the message by which the explanation distinguishes problems with equal messages. */
  readonly context?: string
  readonly fixed: string
  /** Other files of both documents. */
  readonly files?: Readonly<Record<string, string>>
  /** Replaces `files` in the fixed document if the error is in one of them. */
  readonly fixedFiles?: Readonly<Record<string, string>>
  /** Encoding of `source` and `files`; the fixed document is in UTF-8. @default 'utf8' */
  readonly encoding?: 'utf8' | 'latin1'
  /** @default 'pdflatex' */
  readonly engine?: Engine
  /** @default 'bibtex' */
  readonly bibliography?: BibEngine
  /** Time limit of the broken document, so that a test does not wait for the real one. */
  readonly timeoutMs?: number
}

/** An article with this body and preamble. */
export function article(body: string, preamble = ''): string {
  return `\\documentclass{article}\n${preamble === '' ? '' : `${preamble}\n`}\\begin{document}\n${body}\n\\end{document}\n`
}
