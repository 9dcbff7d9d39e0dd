import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'

import { whenAbsent } from '../../../base/absent.ts'
import type { Parsers } from '../../../base/open-parsers.ts'
import { createLimiter } from '../../../base/limiter.ts'
import { checkRepository, type RepositoryFault } from '../../../git/admin/check-repository.ts'
import { trashFolder } from '../../../git/admin/repository-path.ts'
import type { GitStore } from '../../../git/types.ts'
import { isDue } from '../../../papers/build/queue-documents.ts'
import { findDocumentsOfCommit } from '../../../papers/detect/find-documents-of-commit.ts'
import { markPending } from '../../../papers/push/pending-repositories.ts'
import type { CheckedRepository, DatabaseFile } from '../../../store/sqlite/database-file.ts'
import type { DeepFinding } from './deep-finding.ts'

/** The parts of a host that are checked. */
export interface CheckedHost {
  readonly dataDir: string
  readonly database: DatabaseFile
  readonly git: GitStore
  readonly parsers: Parsers
  /** Stops the check between two repositories or PDFs. */
  readonly signal?: AbortSignal | undefined
}

/** Compares every repository with its row and its builds, and finds folders without a row. */
export async function checkRepositories(host: CheckedHost): Promise<readonly DeepFinding[]> {
  const limiter = createLimiter({ atOnce: availableParallelism() })
  const repositories = host.database.listCheckedRepositories()
  const findings = await Promise.all(repositories.map((each) => limiter.run('', () => checkOne(host, each))))
  return [...findings.flat(), ...(await findOrphans(host))]
}

async function checkOne(host: CheckedHost, repository: CheckedRepository): Promise<readonly DeepFinding[]> {
  const { signal } = host
  signal?.throwIfAborted()
  const faults = await checkRepository(host.git.gitDir(repository.id), { ...repository, signal })
  signal?.throwIfAborted()
  const isAbsent = faults.some(({ kind }) => kind === 'absent')
  // A running server has removed it for good.
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

/** Folders without a row in the database. */
async function findOrphans({ dataDir, database, git }: CheckedHost): Promise<DeepFinding[]> {
  const root = join(dataDir, 'repositories')
  const known = database.listRepositoryIds()
  const findings: DeepFinding[] = []
  for (const spread of (await readdir(root).catch(whenAbsent([]))).filter((name) => /^[0-9a-f]{2}$/.test(name)))
    for (const name of await readdir(join(root, spread))) {
      const id = /^(\d+)\.git$/.exec(name)?.[1]
      if (id === undefined || known.has(Number(id)) || git.gitDir(Number(id)) !== join(root, spread, name)) continue
      const place = join(root, spread, name)
      const aside = join(trashFolder(root), `${basename(name, '.git')}-orphan`)
      const run = async (): Promise<void> => {
        await mkdir(trashFolder(root), { recursive: true })
        await rename(place, aside)
      }
      const message = `${place} belongs to no repository in the database`
      const title = `move ${place} to ${aside}, which the next start removes`
      findings.push({ check: 'repository', state: 'weak', message, remedy: null, repair: { title, run } })
    }
  return findings
}
