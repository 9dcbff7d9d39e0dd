/** HEAD of a repository names its default branch. */
import { stat } from 'node:fs/promises'

import { whenAbsent } from '../../base/absent.ts'
import { refuseRefName } from '../../domain/git/ref-names.ts'
import { runGit } from '../process/run-git.ts'
import { usesReftable } from './uses-reftable.ts'
import { readHead, writeHead } from './write-head.ts'

/** Points HEAD at a branch, existing or not. @throws Error for an invalid name, or when git fails. */
export async function setDefaultBranch(
  gitDir: string,
  name: string,
  { searchPath }: { readonly searchPath: string },
): Promise<void> {
  const refusal = refuseRefName(`refs/heads/${name}`)
  if (refusal !== null) throw new Error(`set default branch: ${refusal}`)
  if (!usesReftable(gitDir)) return writeHead(gitDir, name)
  const args = ['symbolic-ref', 'HEAD', `refs/heads/${name}`]
  const run = await runGit(args, { gitDir, searchPath, timeoutMs: 30_000, maxOutputBytes: 4_096 })
  const isDone = run.kind === 'exited' && run.exitCode === 0
  if (!isDone) throw new Error('set default branch', { cause: run })
}

/** Writes HEAD again if it is damaged; returns whether it was. Leaves an absent repository alone. */
export async function repairHead(gitDir: string, branch: string): Promise<boolean> {
  const objects = await stat(`${gitDir}/objects`).catch(whenAbsent(null))
  if (objects === null || (await readHead(gitDir)).kind === 'branch') return false
  await writeHead(gitDir, branch)
  return true
}
