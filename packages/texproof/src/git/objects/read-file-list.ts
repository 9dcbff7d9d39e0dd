import { GitTimeout, runGit, type QueryOptions } from '../process/run-git.ts'

/** Maximum bytes of a list: some 150,000 files. A push of a few kilobytes can contain a tree of 100 million paths. */
const maxListBytes = 12 * 1024 * 1024

/**
 * Reads git's listing of every file of a commit, for `parseFileList`; null if the list is too long. The result is in
 * shared memory, so that worker threads need no copy.
 *
 * @throws GitTimeout, or Error when git cannot read the commit: a failure must not look like a commit without documents.
 */
export async function readFileList(
  gitDir: string,
  { commitId, searchPath, signal }: QueryOptions & { readonly commitId: string },
): Promise<Uint8Array | null> {
  const args = ['ls-tree', '-r', '-z', '--long', '--full-tree', commitId]
  const run = await runGit(args, { gitDir, searchPath, signal, timeoutMs: 10_000, maxOutputBytes: maxListBytes })
  if (run.kind === 'output-too-long') return null
  if (run.kind !== 'exited') throw new GitTimeout(`list files: ${run.kind}`)
  if (run.exitCode !== 0) throw new Error(`list files: git ended with ${run.exitCode}: ${run.stderr.trim()}`)
  const shared = new Uint8Array(new SharedArrayBuffer(run.stdout.byteLength))
  shared.set(run.stdout)
  return shared
}
