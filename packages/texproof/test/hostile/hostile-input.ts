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
  /** Paths below the repository to request in addition to the paths of its files. */
  readonly pages?: readonly string[]
  /** Paths below the repository to request without an account. */
  readonly anonymous?: readonly string[]
  /** Forms to send, in order, before the pages are requested. */
  readonly forms?: readonly HostileForm[]
  /** Messages to send on the live connection of the editor of a file. */
  readonly live?: { readonly path: string; readonly messages: () => readonly (string | Uint8Array)[] }
  /** Creates a webhook before the push, and opens the pages of its deliveries. */
  readonly hasWebhook?: true
  /** A file to edit in the browser, opened at the first commit while the branch is at the last, and its new text. */
  readonly edit?: { readonly path: string; readonly text: string }
  /** Waits for the builds, so that their pages are opened too. */
  readonly isBuilt?: true
}

/** A form. The response counts as one of a page; if it redirects, that page is requested too. */
export interface HostileForm {
  readonly path: string
  /** Request the pages without an account. */
  readonly isAnonymous?: true
  /** The body, made when it is sent. `token` = the token of a form of the host, as its field `form_token`. */
  readonly encode: (token: string) => Blob | FormData | URLSearchParams
}

/** One commit. */
export interface HostileCommit {
  readonly files: Files
  /** Targets of symbolic links, by path. */
  readonly links?: Readonly<Record<string, string>>
  /** Repeats a folder of the commit before, which has no subfolders, under this many names. */
  readonly copies?: { readonly folder: string; readonly count: number }
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

/** Marks an input as part of `npm test`. */
export function quick(input: HostileInput): HostileInput {
  return { ...input, isQuick: true }
}
