import { isObjectId } from '../is-object-id.ts'
import { runGit, type QueryOptions } from '../process/run-git.ts'
import { MAX_READING_BYTES } from '../process/spawn-git.ts'

/** The paths that a commit changed relative to its first parent, each list in the order of git. */
export interface ChangedPaths {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Modified files, including those whose mode or type changed. */
  readonly modified: readonly string[]
  /** False if some paths are missing: there were too many, or git timed out. */
  readonly isWhole: boolean
}

/** Maximum number of paths of a commit. */
export const maxPathsPerCommit = 300

const maxOutputBytes = 256 * 1024

/** Lists the paths that each commit changed, with one process of git. A renamed file is removed and added. */
export async function listChangedPaths(
  gitDir: string,
  { commitIds, ...how }: QueryOptions & { readonly commitIds: readonly string[] },
): Promise<ReadonlyMap<string, ChangedPaths>> {
  const form = ['-r', '--root', '--name-status', '-z', '--no-renames', '--no-ext-diff', '--diff-merges=first-parent']
  const run = await runGit(['diff-tree', '--stdin', ...form], {
    ...how,
    gitDir,
    input: commitIds.map((id) => `${id}\n`).join(''),
    timeoutMs: 10_000,
    maxMemoryBytes: MAX_READING_BYTES,
    maxOutputBytes,
  })
  const isWhole = run.kind === 'exited' && run.exitCode === 0
  return parseChangedPaths(run.kind === 'aborted' ? '' : run.stdout.toString(), { commitIds, isWhole })
}

/**
 * Parses `commit NUL`, then `status NUL path NUL` for each path. A commit without changes does not appear. If the output
 * is not whole, the lists of its last commit and of the commits that are missing are incomplete.
 */
export function parseChangedPaths(
  output: string,
  { commitIds, isWhole }: { readonly commitIds: readonly string[]; readonly isWhole: boolean },
): ReadonlyMap<string, ChangedPaths> {
  const entriesOf = new Map<string, (readonly [status: string, path: string])[]>()
  const fields = output.split('\0').slice(0, -1)
  let entries: (readonly [string, string])[] = []
  let last = ''
  for (let at = 0; at < fields.length;) {
    const field = fields[at] ?? ''
    if (isObjectId(field)) {
      entries = []
      last = field
      entriesOf.set(field, entries)
      at += 1
    } else {
      const path = fields[at + 1]
      if (path !== undefined) entries.push([field, path])
      at += 2
    }
  }
  const describe = (id: string): ChangedPaths => {
    const all = entriesOf.get(id) ?? []
    const listed = all.slice(0, maxPathsPerCommit)
    const pick = (wanted: (status: string) => boolean) =>
      listed.filter(([status]) => wanted(status)).map(([, path]) => path)
    return {
      added: pick((status) => status === 'A'),
      removed: pick((status) => status === 'D'),
      modified: pick((status) => status !== 'A' && status !== 'D'),
      isWhole: all.length === listed.length && (isWhole || (entriesOf.has(id) && id !== last)),
    }
  }
  return new Map(commitIds.map((id) => [id, describe(id)]))
}
