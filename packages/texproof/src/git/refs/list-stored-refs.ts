import { parsePackedRefs, type StoredRefs } from './parse-packed-refs.ts'
import { runGit } from '../process/run-git.ts'

/**
 * Lists branches and tags by asking git, for the ref formats that we do not read ourselves.
 *
 * git prints them as `packed-refs` has them, so one parser reads both. Empty when git cannot read the repository.
 */
export async function listStoredRefs(gitDir: string, options: { readonly searchPath: string }): Promise<StoredRefs> {
  const format = '--format=%(objectname) %(refname)%(if)%(*objectname)%(then)%0a^%(*objectname)%(end)'
  const run = await runGit(['for-each-ref', format, 'refs/heads/', 'refs/tags/'], {
    gitDir,
    searchPath: options.searchPath,
    timeoutMs: 60_000,
    maxOutputBytes: 256 * 1024 * 1024,
  })
  return parsePackedRefs(run.kind === 'exited' && run.exitCode === 0 ? run.stdout : Buffer.alloc(0))
}
