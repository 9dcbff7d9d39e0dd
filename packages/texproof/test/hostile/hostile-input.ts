/** Content of files by path. */
export type Files = Readonly<Record<string, string | Uint8Array>>

/** Hostile content of a push, and the pages to open afterwards. */
export interface HostileInput {
  /** Unique; also the name of its repository. */
  readonly name: string
  /** Whether it is part of `npm test`. */
  readonly isQuick?: true
  /** Commits of `main`, oldest first; each replaces or adds files. */
  readonly commits: readonly HostileCommit[]
  /** Tags on the last commit, by name. */
  readonly tags?: Readonly<Record<string, string>>
  /** Number of branches besides `main` at the last commit. */
  readonly branchCount?: number
  /** Paths below the repository to request in addition to those of its files. */
  readonly pages?: readonly string[]
  /** A file to edit in the browser, opened at the first commit while the branch is at the last, and its new text. */
  readonly edit?: { readonly path: string; readonly text: string }
  /** Waits for the builds, so that their pages are opened too. */
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

/** An input that adds one file, with every page that shows a file. */
export function oneFile(name: string, path: string, content: string | Uint8Array): HostileInput {
  return { name, commits: [{ files: { [path]: content } }] }
}

/** An input that changes one file, with every page that shows a change. */
export function changedFile(
  name: string,
  path: string,
  { before, after }: { readonly before: string; readonly after: string },
): HostileInput {
  return { name, commits: [{ files: { [path]: before } }, { files: { [path]: after } }] }
}

/** The same input, as part of `npm test`. */
export function quick(input: HostileInput): HostileInput {
  return { ...input, isQuick: true }
}
