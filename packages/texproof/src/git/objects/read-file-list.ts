import { runGit, type QueryOptions } from '../process/run-git.ts'

/** Bytes of a list read at most: some 150,000 files. A push of a few kilobytes can hold a tree of 100 million paths. */
const maxListBytes = 12 * 1024 * 1024

/**
 * Reads what git prints of every file of a commit, for `parseFileList`; null when there is no such commit, the list is
 * too long, or git took too long. It lies in shared memory, so that threads read it without a copy.
 */
export async function readFileList(
  gitDir: string,
  { commitId, searchPath, signal }: QueryOptions & { readonly commitId: string },
): Promise<Uint8Array | null> {
  const args = ['ls-tree', '-r', '-z', '--long', '--full-tree', commitId]
  const run = await runGit(args, { gitDir, searchPath, signal, timeoutMs: 10_000, maxOutputBytes: maxListBytes })
  if (run.kind !== 'exited' || run.exitCode !== 0) return null
  const shared = new Uint8Array(new SharedArrayBuffer(run.stdout.byteLength))
  shared.set(run.stdout)
  return shared
}
