import { runGit, type QueryOptions } from '../process/run-git.ts'

/** Which change to read: from one commit to another, or a first commit from nothing. */
export interface PatchRange {
  /** null = from nothing. */
  readonly fromCommitId: string | null
  readonly toCommitId: string
  /** Only these files, old and new name of each; every file when absent. */
  readonly paths?: readonly string[]
  /** Lines that differ in spaces alone count as equal; false when absent. */
  readonly ignoresSpaces?: boolean
}

/** One file of a change. */
export interface ChangedFile {
  /** The name before; the same as `path` unless it was renamed. */
  readonly oldPath: string
  readonly path: string
  /** Lines; null for what is no text. */
  readonly added: number | null
  readonly removed: number | null
}

/** What a change comes to; `too-large` when git took too long or names more files than fit. */
export type Patch =
  | {
      readonly kind: 'text'
      readonly files: readonly ChangedFile[]
      /** git's own unified text of the files, in the same order. */
      readonly bytes: Buffer
      /** false when the text was cut off for its length. */
      readonly isWhole: boolean
    }
  | { readonly kind: 'too-large' | 'missing' }

const maxPatchBytes = 1024 * 1024

/** Files of one change at most; a larger change is not listed. */
const maxChangedFiles = 5_000

/** Reads the change between two commits, renames found, without what a repository might configure. */
export async function readPatch(gitDir: string, options: PatchRange & QueryOptions): Promise<Patch> {
  const { fromCommitId, toCommitId, paths = [], ignoresSpaces = false, searchPath, signal } = options
  const range = fromCommitId === null ? ['--root', toCommitId] : [fromCommitId, toCommitId]
  const form = ['-r', '--numstat', '--patch', '-z', '--no-commit-id', '--no-ext-diff', '--no-textconv', '--no-color']
  const spaces = ignoresSpaces ? ['--ignore-all-space'] : []
  const args = ['--literal-pathspecs', 'diff-tree', ...form, ...spaces, '--find-renames', '-l200', ...range, '--']
  const run = await runGit([...args, ...paths], {
    gitDir,
    searchPath,
    signal,
    settings: [['core.quotePath', 'false']],
    timeoutMs: 10_000,
    maxOutputBytes: maxPatchBytes,
  })
  if (run.kind === 'exited' && run.exitCode !== 0) return { kind: 'missing' }
  if (run.kind !== 'exited' && run.kind !== 'output-too-long') return { kind: 'too-large' }
  const found = readChangedFiles(run.stdout)
  if (found === null) return { kind: 'too-large' }
  return { kind: 'text', files: found.files, bytes: run.stdout.subarray(found.end), isWhole: run.kind === 'exited' }
}

/**
 * Reads what `--numstat -z` prints before the patch: `added TAB removed TAB path NUL`, for a renamed file the two names
 * behind an empty one, and an empty entry at the end. null when the end is missing, or there are too many.
 */
export function readChangedFiles(output: Buffer): { files: readonly ChangedFile[]; end: number } | null {
  const files: ChangedFile[] = []
  let at = 0
  const next = (): string | null => {
    const end = output.indexOf(0, at)
    if (end === -1) return null
    const text = output.toString('utf8', at, end)
    at = end + 1
    return text
  }
  if (output.length === 0) return { files, end: 0 }
  while (files.length <= maxChangedFiles) {
    const entry = next()
    if (entry === '') return { files, end: at }
    const [, added, removed, name] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(entry ?? '') ?? []
    if (added === undefined || removed === undefined || name === undefined) return null
    const oldPath = name === '' ? next() : name
    const path = name === '' ? next() : name
    if (oldPath === null || path === null) return null
    files.push({ oldPath, path, added: readCount(added), removed: readCount(removed) })
  }
  return null
}

function readCount(text: string): number | null {
  return text === '-' ? null : Number(text)
}
