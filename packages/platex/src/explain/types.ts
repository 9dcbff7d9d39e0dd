import type { LatexError, LatexWarning } from '../base/types.ts'

/** A diagnostic in plain words, for the author of the document. */
export interface Explanation {
  /** What is wrong: one sentence, without TeX jargon. */
  readonly summary: string
  /** How to fix it; null if that depends on the author's intent. */
  readonly remedy: string | null
}

/** Names that the project defines: the only candidates for "did you mean". */
export interface Knowledge {
  /** Control sequences with their backslash. */
  readonly commands: ReadonlySet<string>
  /** Names with "@", "_" or ":" that the sources use. */
  readonly internals: ReadonlySet<string>
  readonly environments: ReadonlySet<string>
  readonly labels: ReadonlySet<string>
  /** Names of nodes and coordinates in pictures of TikZ. */
  readonly nodes: ReadonlySet<string>
  /** Labels of entries of the glossary and acronyms. */
  readonly entries: ReadonlySet<string>
  /** Keys of the bibliography. */
  readonly citations: ReadonlySet<string>
  /** Names of the packages that the sources load. */
  readonly packages: ReadonlySet<string>
  /** Names of the document classes of the sources. */
  readonly classes: ReadonlySet<string>
  /** Paths of all files. */
  readonly files: ReadonlySet<string>
  /** Paths of the files that are pointers of Git LFS. */
  readonly lfsPointers: ReadonlySet<string>
  /** Folders that are submodules of git. */
  readonly submodules: ReadonlySet<string>
}

/** A message that a rule explains. */
export interface Finding {
  readonly match: RegExpExecArray
  readonly message: string
  /** Lines that TeX printed below the message. */
  readonly context: string
  readonly line: number | null
  readonly knowledge: Knowledge
}

/** One kind of message. The code is part of page addresses and of the API: never reuse one for another kind of message. */
export type Rule = readonly [
  code: string,
  pattern: RegExp,
  explain: (finding: Finding) => Explanation | null,
  /** If the message alone does not determine the kind. */
  applies?: (diagnostic: LatexError | LatexWarning) => boolean,
]
