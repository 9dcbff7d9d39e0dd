import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import { runGit } from '../process/run-git.ts'
import { defaultSearchPath } from '../process/spawn-git.ts'

/** Oldest git that will do: 2.36 brought `core.fsync`, without which a push is acknowledged before it is on the disk. */
export const minimumGitVersion = '2.36.0'

/** What the check found: the version when git runs, and the first thing that stands in the way. */
export interface GitCheck {
  readonly version: string | null
  readonly problem: GitProblem | null
}

/** What is wrong, and what to type about it; both are sentences for the person who starts the host. */
export interface GitProblem {
  readonly problem: string
  readonly remedy: string
}

/** Checks that git is there and new enough, and that the repositories under `root` belong to this process's user. */
export async function checkGit(options: { readonly root: string; readonly searchPath?: string }): Promise<GitCheck> {
  const version = await findGitVersion(options.searchPath ?? defaultSearchPath)
  if (version === null) {
    return { version, problem: { problem: 'git was not found.', remedy: 'Install it: sudo apt-get install git' } }
  }
  if (isOlder(version, minimumGitVersion)) return { version, problem: tooOld(version) }
  const strangePath = await findForeignPath(options.root)
  return { version, problem: strangePath === null ? null : foreignOwner(strangePath, options.root) }
}

/** The version of the git on the path, such as `2.39.5`; null when there is none. */
async function findGitVersion(searchPath: string): Promise<string | null> {
  try {
    const run = await runGit(['version'], { gitDir: null, searchPath, timeoutMs: 10_000, maxOutputBytes: 4_096 })
    return run.kind === 'exited' ? (/(\d+\.\d+(?:\.\d+)?)/.exec(run.stdout.toString())?.[1] ?? null) : null
  } catch {
    return null // no such program on the path: the caller says how to install it
  }
}

function isOlder(version: string, minimum: string): boolean {
  const [found, wanted] = [version, minimum].map((text) => text.split('.').map(Number))
  for (const [index, number] of (wanted ?? []).entries()) {
    const difference = (found?.[index] ?? 0) - number
    if (difference !== 0) return difference < 0
  }
  return false
}

function tooOld(version: string): GitProblem {
  return {
    problem: `git ${version} is too old: before ${minimumGitVersion} it cannot write a push to disk before it acknowledges it.`,
    remedy:
      'On Ubuntu 22.04: sudo add-apt-repository ppa:git-core/ppa && sudo apt-get update && sudo apt-get install git',
  }
}

/**
 * A path that belongs to another user: git refuses such a repository ("dubious ownership"), after a restore say.
 *
 * Looks at the root, at its folders and at one repository in each: a wrong owner comes from one command over the whole
 * tree, and looking at 100,000 repositories would delay every start.
 */
async function findForeignPath(root: string): Promise<string | null> {
  const ownUserId = process.getuid?.()
  if (ownUserId === undefined) return null
  for (const folder of [root, ...(await list(root))]) {
    const [first] = folder === root ? [] : await list(folder)
    for (const place of first === undefined ? [folder] : [folder, first]) {
      const stats = await lstat(place).catch(whenAbsent(null)) // removed meanwhile
      if (stats !== null && stats.uid !== ownUserId) return place
    }
  }
  return null
}

async function list(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(whenAbsent([])) // absent or no folder: nothing in it to own
  return names.map((name) => path.join(folder, name))
}

function foreignOwner(place: string, root: string): GitProblem {
  return {
    problem: `${place} belongs to another user than the one that runs Texproof, so git refuses to open it.`,
    remedy: `sudo chown -R "$(id -un)" ${root}`,
  }
}
