import { runGit, type QueryOptions } from '../process/run-git.ts'
import { MAX_READING_BYTES } from '../process/spawn-git.ts'
import { pathspecsOf } from './pathspecs.ts'
import type { TreeEntry, TreeItem } from '../types.ts'

/** A path that differs between two commits; null = there is no file at that commit. */
export interface ListedChange {
  readonly path: string
  readonly before: TreeItem | null
  readonly after: TreeItem | null
}

/** Two commits to compare. */
export interface ChangeRange {
  readonly fromCommitId: string
  readonly toCommitId: string
  /** File or folder to list; everything if empty. */
  readonly path: string
}

/** More paths are not listed. */
const maxChanges = 5_000

/**
 * Lists the files that differ between two commits, in the order of git; a renamed file is removed and added. Null if there
 * are too many, a commit is missing, or git timed out.
 */
export async function listChanges(
  gitDir: string,
  { fromCommitId, toCommitId, path, ...how }: QueryOptions & ChangeRange,
): Promise<readonly ListedChange[] | null> {
  const form = ['-r', '--raw', '-z', '--no-abbrev', '--no-renames', '--no-ext-diff']
  const paths = path === '' ? [] : pathspecsOf(path)
  const run = await runGit(['diff-tree', ...form, fromCommitId, toCommitId, '--', ...paths], {
    ...how,
    gitDir,
    timeoutMs: 10_000,
    maxMemoryBytes: MAX_READING_BYTES,
    maxOutputBytes: 4 * 1024 * 1024,
  })
  return run.kind === 'exited' && run.exitCode === 0 ? parseChanges(run.stdout.toString()) : null
}

/** Parses `:mode mode id id status NUL path NUL …`; null if there are too many. */
export function parseChanges(output: string): readonly ListedChange[] | null {
  const fields = output.split('\0').slice(0, -1)
  if (fields.length > 2 * maxChanges) return null
  const changes: ListedChange[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = (fields[at] ?? '').slice(1).split(' ')
    changes.push({ path: fields[at + 1] ?? '', before: itemOf(oldMode, oldId), after: itemOf(newMode, newId) })
  }
  return changes
}

function itemOf(mode: string, objectId: string): TreeItem | null {
  if (mode === '000000') return null
  const kinds: Readonly<Record<string, TreeEntry['kind']>> = {
    '100755': 'executable',
    '120000': 'symlink',
    '160000': 'submodule',
  }
  return { kind: kinds[mode] ?? 'file', objectId }
}
