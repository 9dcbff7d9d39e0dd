/** Fetches a mirror: its branches and tags then equal the source, whatever has happened to them there. */
import { rm } from 'node:fs/promises'

import { findAllowedAddress, type LookUpName } from '../../base/public-address.ts'
import type { Repository } from '../../domain/types.ts'
import type { RefChange } from '../../git/refs/change-refs.ts'
import type { GitStore } from '../../git/types.ts'
import { findSizeLimit } from '../push/find-size-limit.ts'
import { prepareFetchFolder } from '../temporary-files.ts'
import type { GitImportStores } from './import-git.ts'

/** The outcome of a fetch: the short names of rewritten branches and tags, or why it failed, for the user. */
export type MirrorOutcome =
  | { readonly kind: 'fetched'; readonly rewritten: readonly string[] }
  | { readonly kind: 'failed'; readonly problem: string }

/** Limits of a fetch. */
export interface FetchMirrorOptions {
  readonly signal: AbortSignal
  /** Time limit of each git command. */
  readonly timeoutMs: number
  /** How the name of the server is resolved. @default the resolver of the system */
  readonly lookup?: LookUpName | undefined
}

/** Current refs of the source. */
interface Source {
  readonly refs: readonly { readonly ref: string; readonly objectId: string }[]
  readonly defaultBranch: string | null
}

const PREFIX = /^refs\/(?:heads|tags)\//

/** Fetches a mirror from its source. Every new commit gets its builds, as in a push. */
export async function fetchMirror(
  stores: GitImportStores,
  repository: Repository,
  { signal, timeoutMs, lookup }: FetchMirrorOptions,
): Promise<MirrorOutcome> {
  const { config, git } = stores
  const url = new URL(repository.mirrorUrl ?? '')
  const limit = await findSizeLimit(stores, repository.owner)
  if (limit === null) return fail(`The storage quota of ${repository.owner.login} is used up. Delete a repository.`)
  const address = await findAllowedAddress(url.hostname, { allowsPrivate: config.isPrivateImportAllowed, lookup })
  if (address === null) return fail(`${url.hostname} was not found, or is in a private network.`)
  const dir = await prepareFetchFolder(config.dataDir)
  try {
    const fetched = await git.fetchRemote(
      { url, address },
      { dir, maxBytes: limit.maxBytes, timeoutMs, signal, known: git.gitDir(repository.id) },
    )
    if (fetched.kind === 'too-large') return fail(`The new commits exceed ${limit.name}.`)
    if (fetched.kind === 'refused') return fail(fetched.reason)
    return await take(stores, repository, { ...fetched, dir })
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

async function take(
  { git, store, papers }: GitImportStores,
  { id: repositoryId, owner, defaultBranch: oldDefault }: Repository,
  { dir, ...source }: Source & { readonly dir: string },
): Promise<MirrorOutcome> {
  const changes = await findChanges(git, repositoryId, source.refs)
  const defaultBranch = source.defaultBranch ?? oldDefault
  if (changes.length === 0 && defaultBranch === oldDefault) return { kind: 'fetched', rewritten: [] }
  await git.takeFetched(repositoryId, dir)
  const rewritten = await findRewritten(git, repositoryId, changes)
  const updates = changes.map(({ ref, from, to }) => ({ ref, oldCommitId: from, newCommitId: to }))
  const { outcome: problem } = await papers.moveRefs({ repositoryId, userId: owner.id, updates }, async () => {
    // Its owner may have made it an ordinary repository meanwhile, or it is archived and being purged.
    const now = await store.repositories.findById(repositoryId)
    if (now === null || now.mirrorUrl === null || now.isArchived || now.isDisabled)
      return 'The repository was archived or changed during the fetch.'
    // Names are freed first: `a` cannot become `a/b` in one step.
    const steps = [changes.filter(({ to }) => to === null), changes.filter(({ to }) => to !== null)]
    for (const step of steps)
      if (step.length > 0 && !(await git.changeRefs(repositoryId, step)))
        return 'The branches changed during the fetch.'
    // Post-receive updates git's HEAD from the database.
    if (defaultBranch !== oldDefault) await store.repositories.change(repositoryId, { defaultBranch })
    return null
  })
  return problem === null ? { kind: 'fetched', rewritten } : fail(problem)
}

/** Changes that make the refs of the mirror equal to the refs of its source. */
async function findChanges(git: GitStore, repositoryId: number, refs: Source['refs']): Promise<readonly RefChange[]> {
  const wanted = new Map(refs.map(({ ref, objectId }) => [ref, objectId]))
  const [branches, tags] = await Promise.all([git.listBranches(repositoryId), git.listTags(repositoryId)])
  const names = new Set([
    ...branches.map(({ name }) => `refs/heads/${name}`),
    ...tags.map(({ name }) => `refs/tags/${name}`),
    ...wanted.keys(),
  ])
  const stored = await git.findRefs(repositoryId, names)
  const changes = [...names].map((ref) => ({ ref, from: stored.get(ref) ?? null, to: wanted.get(ref) ?? null }))
  return changes.filter(({ from, to }) => from !== to)
}

/** Branches that lost commits, and moved tags. */
async function findRewritten(
  git: GitStore,
  repositoryId: number,
  changes: readonly RefChange[],
): Promise<readonly string[]> {
  const rewritten: string[] = []
  for (const { ref, from, to } of changes) {
    if (from === null || to === null) continue
    const distance = ref.startsWith('refs/tags/')
      ? null
      : await git.countDistance(repositoryId, { baseId: from, commitId: to })
    if (distance === null || distance.behind > 0) rewritten.push(ref.replace(PREFIX, ''))
  }
  return rewritten
}

function fail(problem: string): MirrorOutcome {
  return { kind: 'failed', problem }
}
