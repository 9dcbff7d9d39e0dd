/** What a diagnostic means, for the person who wrote the document. */
export interface Explanation {
  /** What is wrong, one sentence that needs no knowledge of TeX. */
  readonly summary: string
  /** What to do about it; null where that depends on what was meant. */
  readonly remedy: string | null
}

/** What the document and its tree define: the only things that a "did you mean" may name. */
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
