import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'

import { whenAbsent } from '../../../base/absent.ts'
import type { Parsers } from '../../../base/open-parsers.ts'
import { createLimiter } from '../../../base/limiter.ts'
import { checkRepository, type RepositoryFault } from '../../../git/admin/check-repository.ts'
import { trashFolder } from '../../../git/admin/repository-path.ts'
import type { GitStore } from '../../../git/types.ts'
import { isDue } from '../../../papers/request/queue-documents.ts'
import { findDocumentsOfCommit } from '../../../papers/detect/find-documents-of-commit.ts'
import { markPending } from '../../../papers/push/pending-repositories.ts'
import type { CheckedRepository, DatabaseFile } from '../../../store/sqlite/database-file.ts'
import type { DeepFinding } from './deep-finding.ts'

/** The parts of a host that are checked. */
export interface CheckedHost {
  readonly dataDir: string
  readonly database: DatabaseFile
  /** Opens a newer copy, if `database` is a copy. */
  readonly readAgain?: (() => Promise<DatabaseFile>) | undefined
  readonly git: GitStore
  readonly parsers: Parsers
  /** Stops the check between two repositories or PDFs. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Compares every repository with its row and its builds, and finds folders without a row. A running server may change them
 * meanwhile: what differs from a copy of the database is compared with a newer one.
 */
export async function checkRepositories(host: CheckedHost): Promise<readonly DeepFinding[]> {
  const findings = await checkAll(host, host.database.listCheckedRepositories())
  const folders = await listFolders(host)
  const known = host.database.listRepositoryIds()
  const orphans = folders.filter(({ id }) => !known.has(id))
  if (host.readAgain === undefined || (findings.size === 0 && orphans.length === 0))
    return [...[...findings.values()].flat(), ...(await toOrphanFindings(host, orphans))]
  const database = await host.readAgain()
  const current = database.listCheckedRepositories().filter(({ id }) => findings.has(id))
  const again = await checkAll({ ...host, database }, current)
  const knownNow = database.listRepositoryIds()
  const left = orphans.filter(({ id }) => !knownNow.has(id))
  return [...[...again.values()].flat(), ...(await toOrphanFindings(host, left))]
}

/** The findings by repository, without those that have none. */
async function checkAll(
  host: CheckedHost,
  repositories: readonly CheckedRepository[],
): Promise<ReadonlyMap<number, readonly DeepFinding[]>> {
  const limiter = createLimiter({ atOnce: availableParallelism() })
  const checked = await Promise.all(
    repositories.map((each) => limiter.run('', async () => [each.id, await checkOne(host, each)] as const)),
  )
  return new Map(checked.filter(([, findings]) => findings.length > 0))
}

async function checkOne(host: CheckedHost, repository: CheckedRepository): Promise<readonly DeepFinding[]> {
  const { signal } = host
  signal?.throwIfAborted()
  const faults = await checkRepository(host.git.gitDir(repository.id), { ...repository, signal })
  signal?.throwIfAborted()
  const isAbsent = faults.some(({ kind }) => kind === 'absent')
  // A running server has permanently deleted it.
  if (isAbsent && !host.database.listCheckedRepositories().some(({ id }) => id === repository.id)) return []
  const findings = faults.map((fault) => toFinding(host, repository, fault))
  const isReadable = faults.every(({ kind }) => kind === 'leftover')
  return isReadable && !repository.isInTrash ? [...findings, ...(await checkBuilds(host, repository))] : findings
}

const restore = 'Restore the repository from a backup.'

function toFinding({ git }: CheckedHost, repository: CheckedRepository, fault: RepositoryFault): DeepFinding {
  const message = `${repository.fullName}: ${fault.path} ${fault.detail}`
  const finding = { check: 'repository', state: 'broken', message, remedy: null } as const
  if (fault.kind === 'leftover') {
    const run = (): Promise<void> => rm(fault.path, { recursive: true, force: true })
    return { ...finding, state: 'weak', repair: { title: `remove ${fault.path}`, run } }
  }
  if (fault.kind === 'head') {
    const run = (): Promise<void> => git.setDefaultBranch(repository.id, repository.defaultBranch)
    return { ...finding, repair: { title: `point ${fault.path} at ${repository.defaultBranch}`, run } }
  }
  return { ...finding, remedy: restore, repair: null }
}

/** A ref without a build of its commit was missed by post-receive, unless the commit has no documents or excludes it. */
async function checkBuilds(
  { dataDir, database, git, parsers }: CheckedHost,
  repository: CheckedRepository,
): Promise<DeepFinding[]> {
  const { id, defaultBranch, fullName, hasJournalEntry } = repository
  // Post-receive runs for it at the next start.
  if (hasJournalEntry) return []
  const newest = database.listNewestBuilds(id)
  const branches = (await git.listBranches(id)).map(({ name, commitId }) => ({ ref: `refs/heads/${name}`, commitId }))
  const tags = (await git.listTags(id)).map(({ name, commitId }) => ({ ref: `refs/tags/${name}`, commitId }))
  const outdated: string[] = []
  for (const { ref, commitId } of [...branches, ...tags]) {
    if ((newest.get(ref) ?? commitId) === commitId) continue
    const found = await findDocumentsOfCommit({ git, parsers }, { id, owner: { id: fullName } }, commitId)
    if (found.kind === 'found' && isDue(found.trigger, { ref, defaultBranch })) outdated.push(ref)
  }
  if (outdated.length === 0) return []
  return [
    {
      check: 'builds',
      state: 'weak',
      message: `${fullName}: the newest build is of another commit: ${outdated.join(', ')}`,
      remedy: null,
      repair: {
        title: `queue the missing builds of ${fullName} at the next start`,
        run: () => markPending(dataDir, [id]),
      },
    },
  ]
}

interface RepositoryFolder {
  readonly id: number
  readonly place: string
}

async function listFolders({ dataDir, git }: CheckedHost): Promise<readonly RepositoryFolder[]> {
  const root = join(dataDir, 'repositories')
  const folders: RepositoryFolder[] = []
  for (const spread of (await readdir(root).catch(whenAbsent([]))).filter((name) => /^[0-9a-f]{2}$/.test(name)))
    for (const name of await readdir(join(root, spread))) {
      const id = Number(/^(\d+)\.git$/.exec(name)?.[1])
      const place = join(root, spread, name)
      if (Number.isInteger(id) && git.gitDir(id) === place) folders.push({ id, place })
    }
  return folders
}

/** A running server removes the folder of a repository before its row: a folder that is gone was removed with its row. */
async function toOrphanFindings(
  host: CheckedHost,
  folders: readonly RepositoryFolder[],
): Promise<readonly DeepFinding[]> {
  const findings: DeepFinding[] = []
  for (const folder of folders)
    if ((await stat(folder.place).catch(whenAbsent(null))) !== null) findings.push(toOrphanFinding(host, folder))
  return findings
}

/** A folder without a row in the database. */
function toOrphanFinding({ dataDir }: CheckedHost, { place }: RepositoryFolder): DeepFinding {
  const trash = trashFolder(join(dataDir, 'repositories'))
  const aside = join(trash, `${basename(place, '.git')}-orphan`)
  const run = async (): Promise<void> => {
    await mkdir(trash, { recursive: true })
    await rename(place, aside)
  }
  const message = `${place} belongs to no repository in the database`
  const title = `move ${place} to ${aside}, which the next start removes`
  return { check: 'repository', state: 'weak', message, remedy: null, repair: { title, run } }
}
