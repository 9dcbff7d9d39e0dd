/** Path → content of a file. */
export type Files = Readonly<Record<string, string | Uint8Array>>

/** What somebody pushes to harm a host, and what everybody then looks at. */
export interface HostileInput {
  /** Unique; also the name of its repository. */
  readonly name: string
  /** Part of `npm test`. */
  readonly isQuick?: true
  /** Commits of `main`, the first one first; each replaces or adds files. */
  readonly commits: readonly HostileCommit[]
  /** Tags on the last commit, by name. */
  readonly tags?: Readonly<Record<string, string>>
  /** How many branches beside `main` point to the last commit. */
  readonly branchCount?: number
  /** Paths below the repository that are asked for beside those that follow from its files. */
  readonly pages?: readonly string[]
  /** A file that is edited in the browser at the first commit while the branch is at the last, and its new text. */
  readonly edit?: { readonly path: string; readonly text: string }
  /** Waits for the builds, so that their pages are looked at too. */
  readonly isBuilt?: true
}

/** One commit. */
export interface HostileCommit {
  readonly files: Files
  /** @default `Change` */
  readonly message?: string
  /** Name of the author. @default `Bob` */
  readonly author?: string
}

/** An input of one file that is added, with everything that shows a file. */
export function oneFile(name: string, path: string, content: string | Uint8Array): HostileInput {
  return { name, commits: [{ files: { [path]: content } }] }
}

/** An input of one file that changes, with everything that shows a change. */
export function changedFile(
  name: string,
  path: string,
  { before, after }: { readonly before: string; readonly after: string },
): HostileInput {
  return { name, commits: [{ files: { [path]: before } }, { files: { [path]: after } }] }
}

/** The same input in `npm test`. */
export function quick(input: HostileInput): HostileInput {
  return { ...input, isQuick: true }
}
