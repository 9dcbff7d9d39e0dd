import type { BibEngine, Engine } from '@texproof/platex'

/** What the documentation says about one kind of problem, with a document that has it and one that has it no more. */
export interface ErrorPage {
  /** One of `adviceCodes`. */
  readonly code: string
  /** What happened, as somebody would say it. */
  readonly title: string
  /** Why TeX complains, in sentences for somebody who does not know TeX. */
  readonly means: string
  /** How to get rid of it, and what to look for when it is not the plain case. */
  readonly mend: string
  /** null where no document of a healthy host has it. */
  readonly example: ErrorExample | null
}

/** A document, what TeX says of it, and the document mended. */
export interface ErrorExample {
  readonly source: string
  /** The message as TeX prints it, in one line. A test compares it with what TeX prints. */
  readonly says: string
  readonly mended: string
  /** What the document reads beside itself, in both forms. */
  readonly files?: Readonly<Record<string, string>>
  /** Replaces `files` where the fault is in one of them. */
  readonly mendedFiles?: Readonly<Record<string, string>>
  /** @default 'pdflatex' */
  readonly engine?: Engine
  /** @default 'bibtex' */
  readonly bibliography?: BibEngine
  /** Of the faulty form alone, so that a test need not wait for the real limit. */
  readonly timeoutMs?: number
}

/** An article with this in its body, and this after the class. */
export function article(body: string, preamble = ''): string {
  return `\\documentclass{article}\n${preamble === '' ? '' : `${preamble}\n`}\\begin{document}\n${body}\n\\end{document}\n`
}
