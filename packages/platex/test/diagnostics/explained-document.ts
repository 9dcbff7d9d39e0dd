import type { ProjectEngine } from '../../src/base/types.ts'

/**
 * A broken document. Each line to edit begins with its error code in brackets, `⟦undefined-command⟧`, which is removed
 * before the document is compiled.
 */
export interface ExplainedDocument {
  /** The mistake, in a few words. */
  readonly title: string
  readonly engine: ProjectEngine
  /** `main.tex` and the other files that it reads, marked. */
  readonly files: Readonly<Record<string, string>>
  /** Error codes without a line. */
  readonly unplaced: readonly string[]
  /** Names of files that are stored in Latin-1 instead of UTF-8. */
  readonly latin1: readonly string[]
}

/** A file, a line and the code that its error must have. */
export type ExpectedCause = readonly [file: string | null, line: number | null, code: string]

interface DocumentOptions {
  readonly engine?: ProjectEngine
  /** Other files that the document reads. */
  readonly files?: Readonly<Record<string, string>>
  readonly unplaced?: readonly string[]
  readonly latin1?: readonly string[]
}

/** A document of several files. */
export function project(
  title: string,
  files: Readonly<Record<string, string>>,
  { engine = 'pdflatex', unplaced = [], latin1 = [] }: Omit<DocumentOptions, 'files'> = {},
): ExplainedDocument {
  return { title, engine, files, unplaced, latin1 }
}

/** An article with this body and preamble. */
export function article(
  title: string,
  body: string,
  preamble = '',
  { files = {}, ...options }: DocumentOptions = {},
): ExplainedDocument {
  const head = preamble === '' ? '' : `${preamble}\n`
  const main = `\\documentclass{article}\n${head}\\begin{document}\n${body}\n\\end{document}\n`
  return project(title, { 'main.tex': main, ...files }, options)
}

/** The files without the codes. */
export function withoutMarks({ files, latin1 }: ExplainedDocument): ReadonlyMap<string, Uint8Array> {
  return new Map(
    Object.entries(files).map(([name, text]) => [
      name,
      Buffer.from(text.replaceAll(MARK, ''), latin1.includes(name) ? 'latin1' : 'utf8'),
    ]),
  )
}

/** The marked lines and codes; `none` for an error without a code. */
export function listExpected({ files, unplaced }: ExplainedDocument): readonly ExpectedCause[] {
  const placed = Object.entries(files).flatMap(([file, text]) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(MARK)].map((match): ExpectedCause => [file, index + 1, match[1] ?? '']),
      ),
  )
  return [...placed, ...unplaced.map((code): ExpectedCause => ['main.tex', null, code])]
}

const MARK = /⟦([a-z-]+)⟧/g
