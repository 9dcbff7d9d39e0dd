import type { BibEngine, Engine } from '@texproof/platex'

/** A tree as detection sees it: names, and the text of what it asks for. */
export interface DocumentTree {
  /** Every plain file, `/`-separated. */
  readonly paths: ReadonlySet<string>
  /** Text of a file; null when absent, too large to be a source or not text. */
  readonly readText: (path: string) => Promise<string | null>
}

/** One document to compile: what, with which tools, and why these. */
export interface PaperDocument {
  readonly rootFile: string
  /** What the PDF is called, without `.pdf`; unique within the tree. */
  readonly name: string
  /** Class named by the source, `article`; null when the source names none. */
  readonly documentClass: string | null
  readonly engine: Engine
  readonly bibliography: BibEngine
  /** Why this file, engine and bibliography tool, for a person: clauses separated by commas. */
  readonly reason: string
}

/** Which pushes build: every branch, the default branch alone, or none until asked. */
export type BuildTrigger = 'branches' | 'default' | 'demand'

export type FoundDocuments =
  /** The first document is the one a bare address means. */
  | { readonly kind: 'found'; readonly documents: readonly PaperDocument[]; readonly trigger: BuildTrigger }
  /** No LaTeX document: the repository is left in peace. */
  | { readonly kind: 'none' }
  /** The sources take too long to read. */
  | { readonly kind: 'unreadable' }
  /** A configuration file says something that cannot be done. */
  | { readonly kind: 'misconfigured'; readonly file: string; readonly message: string }
