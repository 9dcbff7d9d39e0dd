/**
 * Streams commits made by the host into one `git fast-import`. It writes objects and refs itself (`importCommits`), or
 * only objects into a separate folder (`composeCommit`).
 */
import { DiskFull, readStorageFailure } from '../../base/storage-failure.ts'
import { compareUtf8 } from '../../domain/text/compare-utf8.ts'
import type { GitSetting } from '../process/git-settings.ts'
import { runGit } from '../process/run-git.ts'
import { syncRefs } from '../refs/sync-refs.ts'
import type { FileChange, GitPerson, TreeItem } from '../types.ts'

const timeoutMs = 60_000

/** A commit of a stream. */
export interface StreamedCommit {
  /** Full name. */
  readonly ref: string
  /** Its number in the stream, from 1. */
  readonly mark: number
  /** A commit id, or `:1` for a mark; null = a root commit. */
  readonly from: string | null
  readonly author: GitPerson
  readonly message: string
  readonly changes: readonly FileChange[]
}

/**
 * Runs `git fast-import` with the parts of a stream, and returns its output.
 *
 * @throws Error when git refuses: a parent is missing, or a path is invalid; nothing is added then.
 */
export async function fastImport(
  gitDir: string,
  stream: readonly (string | Uint8Array)[],
  options: { readonly searchPath: string; readonly newObjectsIn?: string; readonly settings?: readonly GitSetting[] },
): Promise<string> {
  const since = Date.now()
  const input = Buffer.concat([...stream, 'done\n'].map((part) => Buffer.from(part)))
  const limits = { timeoutMs, maxOutputBytes: 256 }
  const run = await runGit(['fast-import', '--quiet', '--done'], { gitDir, input, ...limits, ...options })
  if (run.kind !== 'exited') throw new Error(`fast-import: ${run.kind}`)
  if (run.exitCode !== 0 && readStorageFailure(run.stderr) === 'full') throw new DiskFull(`fast-import: ${run.stderr}`)
  if (run.exitCode !== 0) throw new Error(`fast-import: ${run.stderr}`)
  if (options.newObjectsIn === undefined) await syncRefs(gitDir, { since })
  return run.stdout.toString('latin1').trim()
}

/** Encodes one commit. */
export function encodeCommit(commit: StreamedCommit): readonly (string | Uint8Array)[] {
  const { ref, mark, from, author, message, changes } = commit
  const person = encodePerson(author)
  const inOrder = changes.toSorted((left, right) => rank(left) - rank(right) || compareUtf8(left.path, right.path))
  return [
    `commit ${ref}\nmark :${mark}\nauthor ${person}\ncommitter ${person}\n`,
    ...encodeData(Buffer.from(message.replaceAll('\0', ''))),
    from === null ? '' : `from ${from}\n`,
    ...inOrder.flatMap(encodeChange),
    '\n',
  ]
}

/** A person in the format of a commit: `<` ends a name and a newline ends a line, so neither may occur in it. */
export function encodePerson({ name, email, at }: GitPerson): string {
  const clean = (text: string): string => text.replaceAll(/[<>\n\r\0]/g, '').trim()
  return `${clean(name) || 'unknown'} <${clean(email)}> ${Math.floor(at / 1_000)} +0000`
}

/** Removals come first: a file may replace a folder. A renamed file may be written. */
function rank({ kind }: FileChange): number {
  return { remove: 0, rename: 1, write: 2, place: 2 }[kind]
}

function encodeChange(change: FileChange): readonly (string | Uint8Array)[] {
  if (change.kind === 'remove') return [`D ${quotePath(change.path)}\n`]
  if (change.kind === 'rename') return [`R ${quotePath(change.path)} ${quotePath(change.newPath)}\n`]
  if (change.kind === 'place') return [`M ${modeOf(change.item)} ${change.item.objectId} ${quotePath(change.path)}\n`]
  const mode = change.isExecutable ? '100755' : '100644'
  return [`M ${mode} inline ${quotePath(change.path)}\n`, ...encodeData(change.bytes)]
}

function modeOf({ kind }: TreeItem): string {
  return { file: '100644', executable: '100755', symlink: '120000', submodule: '160000', folder: '040000' }[kind]
}

/** Path as a quoted C string. */
function quotePath(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
}

function encodeData(bytes: Uint8Array): readonly (string | Uint8Array)[] {
  return [`data ${bytes.length}\n`, bytes, '\n']
}
