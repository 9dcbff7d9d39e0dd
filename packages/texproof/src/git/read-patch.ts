import { runGit } from './run-git.ts'

/** Which change to read: from one commit to another, or a first commit from nothing. */
export interface PatchRange {
  /** null = from nothing. */
  readonly fromCommitId: string | null
  readonly toCommitId: string
}

/** What a change comes to, as git's own unified text; `too-large` also when git took too long. */
export type Patch = { readonly kind: 'text'; readonly bytes: Buffer } | { readonly kind: 'too-large' | 'missing' }

const maxPatchBytes = 1024 * 1024

/** Reads the change between two commits, renames found, without what a repository might configure. */
export async function readPatch(gitDir: string, options: PatchRange & { readonly searchPath: string }): Promise<Patch> {
  const { fromCommitId, toCommitId, searchPath } = options
  const range = fromCommitId === null ? ['--root', toCommitId] : [fromCommitId, toCommitId]
  const args = ['diff-tree', '-r', '--patch', '--no-commit-id', '--no-ext-diff', '--no-textconv', '--no-color']
  const run = await runGit([...args, '--find-renames', '-l200', ...range, '--'], {
    gitDir,
    searchPath,
    settings: [['core.quotePath', 'false']],
    timeoutMs: 10_000,
    maxOutputBytes: maxPatchBytes,
  })
  if (run.kind !== 'exited') return { kind: 'too-large' }
  return run.exitCode === 0 ? { kind: 'text', bytes: run.stdout } : { kind: 'missing' }
}
