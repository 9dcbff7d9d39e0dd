/** Creates a repository from a repository on another server. */
import { rm } from 'node:fs/promises'

import { findAllowedAddress, type LookUpName } from '../../base/public-address.ts'
import type { Config } from '../../config/read-config.ts'
import type { Repository } from '../../domain/types.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'
import type { FetchOutcome } from '../../git/protocol/fetch-remote.ts'
import type { CommitStores } from '../edit/commit-on-branch.ts'
import { findSizeLimit } from '../push/find-size-limit.ts'
import { createRepository, type FinishRepository, type RepositoryDetails } from '../repository/create-repository.ts'
import { prepareFetchFolder } from '../temporary-files.ts'
import type { ImportOutcome, ImportRefusal } from './import-archive.ts'

/** Dependencies of an import from git. */
export interface GitImportStores extends CommitStores {
  readonly config: CommitStores['config'] & Pick<Config, 'isPrivateImportAllowed' | 'mirrorEveryMs'>
}

/** The repository to create, and where it comes from. */
export interface GitImport {
  readonly details: Omit<RepositoryDetails, 'firstCommit'>
  /** Address as typed. */
  readonly address: string
  /** Whether the repository follows its source. @default false */
  readonly isMirror?: boolean
  /** Called at each step, with a label for the user. */
  readonly onStep: (step: string) => void
  readonly signal: AbortSignal
  /** Time limit of each git command. @default 10 minutes */
  readonly timeoutMs?: number
  /** How the name of the server is resolved. @default the resolver of the system */
  readonly lookup?: LookUpName | undefined
}

const fetchTimeoutMs = 10 * 60_000

/** Parses the address of a repository; or returns the problem, for the user. */
export function parseGitAddress(address: string): URL | string {
  const url = URL.parse(address.trim())
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return 'Use an address that begins with https://.'
  if (url.username !== '' || url.password !== '')
    return 'Remove the username and the password from the address. Only public repositories can be imported.'
  url.hash = ''
  return url
}

/** Downloads all branches and tags, creates the repository and queues its builds, like a push. */
export async function importGit(
  stores: GitImportStores,
  { details, address, isMirror = false, onStep, signal, timeoutMs = fetchTimeoutMs, lookup }: GitImport,
): Promise<ImportOutcome> {
  const { config, git } = stores
  const url = parseGitAddress(address)
  if (typeof url === 'string') return refuse(url)
  const limit = await findSizeLimit(stores, details.owner)
  if (limit === null) return refuse('Your storage quota is used up. Delete a repository, or see Settings, Usage.')
  onStep('resolving the address')
  const ip = await findAllowedAddress(url.hostname, { allowsPrivate: config.isPrivateImportAllowed, lookup })
  if (ip === null) return refuse(`${url.hostname} was not found, or is in a private network.`)
  onStep('downloading the repository')
  const dir = await prepareFetchFolder(config.dataDir)
  try {
    const onBytes = (bytes: number): void => onStep(`downloading the repository: ${formatBytes(bytes)}`)
    const limits = { maxBytes: limit.maxBytes, timeoutMs, signal }
    const fetched = await git.fetchRemote({ url, address: ip }, { dir, ...limits, onBytes })
    if (fetched.kind === 'too-large') return refuse(`The repository exceeds ${limit.name}.`)
    if (fetched.kind === 'refused') return refuse(fetched.reason)
    onStep('creating the repository')
    const finish: FinishRepository = (repositoryId, markReady) =>
      takeRepository(
        stores,
        { repositoryId, dir, fetched, userId: details.owner.id, mirrorUrl: isMirror ? url.href : null },
        markReady,
      )
    return await createRepository(stores, { ...details, firstCommit: null }, { finish })
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

async function takeRepository(
  { config, git, store, papers }: GitImportStores,
  taken: {
    readonly repositoryId: number
    readonly dir: string
    readonly fetched: Extract<FetchOutcome, { kind: 'fetched' }>
    readonly userId: string
    readonly mirrorUrl: string | null
  },
  markReady: () => Promise<Repository>,
): Promise<Repository> {
  const { repositoryId, dir, fetched, userId, mirrorUrl } = taken
  const { refs, defaultBranch } = fetched
  const updates = refs.map(({ ref, objectId }) => ({ ref, oldCommitId: null, newCommitId: objectId }))
  await git.takeFetched(repositoryId, dir)
  // The journal entry precedes the visible repository: a crash leaves no repository without a build.
  const { outcome } = await papers.moveRefs({ repositoryId, userId, updates }, async () => {
    const changes = refs.map(({ ref, objectId }) => ({ ref, from: null, to: objectId }))
    if (!(await git.changeRefs(repositoryId, changes))) throw new Error('create the refs of an imported repository')
    if (defaultBranch !== null) {
      await git.setDefaultBranch(repositoryId, defaultBranch)
      await store.repositories.change(repositoryId, { defaultBranch })
    }
    const at = Date.now()
    if (mirrorUrl !== null)
      await store.mirrors.add(repositoryId, { url: mirrorUrl, at, dueAt: at + config.mirrorEveryMs })
    return markReady()
  })
  return outcome
}

function refuse(problem: string): ImportRefusal {
  return { kind: 'refused', problem }
}
