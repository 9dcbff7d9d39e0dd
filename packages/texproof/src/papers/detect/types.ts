import type { BibEngine, ProjectEngine } from '@texproof/platex'

/** A tree for detection: paths, and the text of files on request. */
export interface DocumentTree {
  /** Every regular file, `/`-separated. */
  readonly paths: ReadonlySet<string>
  /** Symbolic links in a tree of git. */
  readonly links?: ReadonlySet<string>
  /** Text of a file; null if it is absent, too large for a source or not text. */
  readonly readText: (path: string) => Promise<string | null>
}

/** One document to compile, its tools, and the reason for the choice. */
export interface PaperDocument {
  readonly rootFile: string
  /** Name of the PDF without `.pdf`; unique within the tree. */
  readonly name: string
  /** Class in the source, such as `article`; null if the source has none. */
  readonly documentClass: string | null
  readonly engine: ProjectEngine
  readonly bibliography: BibEngine
  /** Why this file, engine and bibliography tool were chosen, as text: clauses separated by commas. */
  readonly reason: string
  /** The clauses of `reason`; null = there is no bibliography. */
  readonly reasons: { readonly root: string; readonly engine: string; readonly bibliography: string | null }
}

/** Which pushes start builds: to every branch, to the default branch only, or none. */
export type BuildTrigger = 'branches' | 'default' | 'demand'

/** A file that its author may expect to be a document, in a tree without one. */
export type NearDocument =
  /** A figure of the class `standalone`, or a chapter of the class `subfiles`. */
  | { readonly kind: 'part'; readonly path: string; readonly documentClass: string }
  /** A file in plain TeX, which is not compiled. */
  | { readonly kind: 'plain-tex'; readonly path: string }
  /** The source of a package, which contains its manual. */
  | { readonly kind: 'dtx'; readonly path: string }
  /** A source of knitr or Sweave, from which R creates a LaTeX file. */
  | { readonly kind: 'rnw'; readonly path: string }

export type FoundDocuments =
  /** The first document is the default. */
  | { readonly kind: 'found'; readonly documents: readonly PaperDocument[]; readonly trigger: BuildTrigger }
  /** No LaTeX document: nothing is built. */
  | { readonly kind: 'none'; readonly near: NearDocument | null }
  /** The sources take too long to read. */
  | { readonly kind: 'unreadable' }
  /** A configuration file has an invalid setting. */
  | { readonly kind: 'misconfigured'; readonly file: string; readonly message: string }
