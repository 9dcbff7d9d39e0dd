/** A diagnostic in plain words, for the author of the document. */
export interface Explanation {
  /** What is wrong: one sentence, without TeX jargon. */
  readonly summary: string
  /** How to fix it; null if that depends on the author's intent. */
  readonly remedy: string | null
}

/** What the project defines: the only candidates for "did you mean". */
export interface Knowledge {
  /** Control sequences with their backslash. */
  readonly commands: ReadonlySet<string>
  readonly environments: ReadonlySet<string>
  readonly labels: ReadonlySet<string>
  /** Keys of the bibliography. */
  readonly citations: ReadonlySet<string>
  /** Paths of all files. */
  readonly files: ReadonlySet<string>
}
