import { lstat, readdir, stat } from 'node:fs/promises'
import path from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import { quote } from '../../domain/text/shell-word.ts'
import { runGit } from '../process/run-git.ts'
import { defaultSearchPath } from '../process/spawn-git.ts'

/**
 * Oldest supported version of git: 2.36 introduced `core.fsync`, without which a push is acknowledged before it is on
 * disk.
 */
const minimumGitVersion = '2.36.0'

/** The result: the version if git runs, and the first problem. */
export interface GitCheck {
  readonly version: string | null
  readonly problem: GitProblem | null
}

/** The problem and how to fix it, as sentences for the operator. */
export interface GitProblem {
  readonly problem: string
  readonly remedy: string
}

/**
 * Checks that git exists and is recent enough, and that the repositories belong to the owner of the data directory, as
 * whom the server runs.
 */
export async function checkGit(options: { readonly dataDir: string; readonly searchPath?: string }): Promise<GitCheck> {
  const version = await findGitVersion(options.searchPath ?? defaultSearchPath)
  if (typeof version !== 'string') return { version: null, problem: version }
  if (isOlder(version, minimumGitVersion)) return { version, problem: tooOld(version) }
  return { version, problem: await checkOwners(options.dataDir) }
}

/** The version of the git on the path, such as `2.39.5`, or why it is unknown. */
async function findGitVersion(searchPath: string): Promise<string | GitProblem> {
  try {
    const run = await runGit(['version'], { gitDir: null, searchPath, timeoutMs: VERSION_MS, maxOutputBytes: 4_096 })
    if (run.kind !== 'exited') return failed(`it did not answer within ${VERSION_MS / 1_000} s`)
    const version = /(\d+\.\d+(?:\.\d+)?)/.exec(run.stdout.toString())?.[1]
    return version ?? failed(`exit code ${run.exitCode} ${run.stderr.trim()}`.trimEnd())
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    if (isMissing) return { problem: 'git was not found.', remedy: 'Install it: sudo apt-get install git' }
    const reason = cause instanceof Error ? cause.message : String(cause)
    const hasNoDescriptor =
      cause instanceof Error && 'code' in cause && (cause.code === 'EMFILE' || cause.code === 'ENFILE')
    return hasNoDescriptor ? tooManyFiles(reason) : failed(reason)
  }
}

/** A busy machine may need seconds to start a program. */
const VERSION_MS = 60_000

function failed(reason: string): GitProblem {
  return { problem: `git version failed: ${reason}.`, remedy: 'Check that the machine can start programs: git version' }
}

function tooManyFiles(reason: string): GitProblem {
  return {
    problem: `git cannot be started, because too many files are open: ${reason}.`,
    remedy: 'Raise the limit: ulimit -n 65536, or LimitNOFILE=65536 in the systemd unit.',
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
    problem: `git ${version} is too old: versions before ${minimumGitVersion} cannot write a push to disk before they acknowledge it.`,
    remedy:
      'On Ubuntu 22.04: sudo add-apt-repository ppa:git-core/ppa && sudo apt-get update && sudo apt-get install git',
  }
}

/**
 * Finds a path that belongs to another user, for example after a restore: git refuses such a repository ("dubious
 * ownership").
 *
 * Checks the root, its folders and one repository in each: a wrong owner is usually the result of one command for the
 * whole tree, and checking 100,000 repositories would delay every start.
 */
async function checkOwners(dataDir: string): Promise<GitProblem | null> {
  const owner = (await stat(dataDir).catch(whenAbsent(null)))?.uid
  if (owner === undefined) return null
  const root = path.join(dataDir, 'repositories')
  for (const folder of [root, ...(await list(root))]) {
    const [first] = folder === root ? [] : await list(folder)
    for (const place of first === undefined ? [folder] : [folder, first]) {
      const stats = await lstat(place).catch(whenAbsent(null)) // removed in the meantime
      if (stats !== null && stats.uid !== owner) return foreignOwner(place, { root, owner })
    }
  }
  return null
}

async function list(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(whenAbsent([])) // absent or not a folder: no entries
  return names.map((name) => path.join(folder, name))
}

function foreignOwner(place: string, { root, owner }: { readonly root: string; readonly owner: number }): GitProblem {
  return {
    problem: `${place} does not belong to uid ${owner}, the owner of the data directory, so git refuses to open it.`,
    remedy: `sudo chown -R ${owner} ${quote(root)}`,
  }
}
