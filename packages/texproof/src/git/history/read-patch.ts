import { runGit, type QueryOptions } from '../process/run-git.ts'
import { MAX_READING_BYTES } from '../process/spawn-git.ts'
import { pathspecsOf } from './pathspecs.ts'

/** The change to read: between two commits, or of a root commit. */
export interface PatchRange {
  /** null = the change of a root commit. */
  readonly fromCommitId: string | null
  readonly toCommitId: string
  /** Files to include, with old and new names; all files if absent. */
  readonly paths?: readonly string[]
  /** Ignores whitespace; false if absent. */
  readonly ignoresSpaces?: boolean
}

/** One file of a change. */
export interface ChangedFile {
  /** The old name; differs from `path` if the file was renamed. */
  readonly oldPath: string
  readonly path: string
  /** Number of lines; null for a binary file. */
  readonly added: number | null
  readonly removed: number | null
}

/** A change; `too-large` = there are too many files, `too-costly` = reading them takes too long or too much memory. */
export type Patch =
  | {
      readonly kind: 'text'
      readonly files: readonly ChangedFile[]
      /** git's unified diff of the files, in the same order. */
      readonly bytes: Buffer
      /** False if the diff was truncated. */
      readonly isWhole: boolean
    }
  | { readonly kind: 'too-large' | 'too-costly' | 'missing' }

const maxPatchBytes = 1024 * 1024

/** Maximum number of files; a larger change is not listed. */
const maxChangedFiles = 5_000

/** Reads the change between two commits, with rename detection, independently of the repository's configuration. */
export async function readPatch(gitDir: string, options: PatchRange & QueryOptions): Promise<Patch> {
  const { fromCommitId, toCommitId, paths = [], ignoresSpaces = false, searchPath, signal } = options
  const range = fromCommitId === null ? ['--root', toCommitId] : [fromCommitId, toCommitId]
  const form = ['-r', '--numstat', '--patch', '-z', '--no-commit-id', '--no-ext-diff', '--no-textconv', '--no-color']
  const spaces = ignoresSpaces ? ['--ignore-all-space'] : []
  const args = ['diff-tree', ...form, ...spaces, '--find-renames', '-l200', ...range, '--']
  const run = await runGit([...args, ...paths.flatMap(pathspecsOf)], {
    gitDir,
    searchPath,
    signal,
    settings: [['core.quotePath', 'false']],
    timeoutMs: 10_000,
    maxMemoryBytes: MAX_READING_BYTES,
    maxOutputBytes: maxPatchBytes,
  })
  if (run.kind === 'exited' && run.exitCode !== 0) return { kind: 'missing' }
  if (run.kind !== 'exited' && run.kind !== 'output-too-long') return { kind: 'too-costly' }
  const found = readChangedFiles(run.stdout)
  if (found === null) return { kind: 'too-large' }
  return { kind: 'text', files: found.files, bytes: run.stdout.subarray(found.end), isWhole: run.kind === 'exited' }
}

/**
 * Parses the output of `--numstat -z` before the patch: `added TAB removed TAB path NUL`; for a renamed file, an empty
 * path followed by the two names; an empty entry at the end. Returns null if the end is missing, or there are too many
 * files.
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
