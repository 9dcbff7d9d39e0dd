import type { Repository } from '../../../domain/types.ts'
import type { Commit, GitStore } from '../../../git/types.ts'

/** Target of a name in an address: a branch before a tag of the same name, otherwise a commit id or its prefix. */
export interface ResolvedRef {
  readonly kind: 'branch' | 'tag' | 'commit'
  /** Short name, or the commit id. */
  readonly name: string
  readonly commitId: string
}

/** Both refs and paths contain slashes, so shorter and shorter prefixes of an address are tried as the ref. */
const MAX_REF_PARTS = 32

/** Resolves a name; null if it does not exist. */
export async function resolveRef(git: GitStore, repositoryId: number, name: string): Promise<ResolvedRef | null> {
  const branch = await git.findBranch(repositoryId, name)
  if (branch !== null) return { kind: 'branch', ...branch }
  const tag = await git.findTag(repositoryId, name)
  if (tag !== null) return { kind: 'tag', ...tag }
  const commit = await findCommit(git, repositoryId, name)
  return commit === null ? null : { kind: 'commit', name: commit.commitId, commitId: commit.commitId }
}

/** The commit of an id, in full or abbreviated to 7 or more digits. */
export async function findCommit(git: GitStore, repositoryId: number, id: string): Promise<Commit | null> {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id)
    ? git.findCommit(repositoryId, id)
    : git.findCommitByPrefix(repositoryId, id)
}

/** The name of a ref in a sentence. */
export function displayRef({ kind, name, commitId }: ResolvedRef): string {
  return kind === 'commit' ? commitId.slice(0, 10) : name
}

/** The repository in the title of a page: `alice/tides @ v1`, without the ref for the default branch. */
export function repositoryTitle({ owner, name, defaultBranch }: Repository, ref: ResolvedRef): string {
  const isDefault = ref.kind === 'branch' && ref.name === defaultBranch
  return `${owner.login}/${name}${isDefault ? '' : ` @ ${displayRef(ref)}`}`
}

/** `refs/heads/main`, `refs/tags/v1`, or the commit id. */
export function fullRefName({ kind, name, commitId }: ResolvedRef): string {
  if (kind === 'commit') return commitId
  return `refs/${kind === 'branch' ? 'heads' : 'tags'}/${name}`
}

/** Resolves a full ref name or a commit id; null if it was deleted. */
export async function resolveFullRef(
  git: GitStore,
  repositoryId: number,
  fullName: string,
): Promise<ResolvedRef | null> {
  if (fullName.startsWith('refs/heads/')) {
    const branch = await git.findBranch(repositoryId, fullName.slice('refs/heads/'.length))
    return branch === null ? null : { kind: 'branch', ...branch }
  }
  if (fullName.startsWith('refs/tags/')) {
    const tag = await git.findTag(repositoryId, fullName.slice('refs/tags/'.length))
    return tag === null ? null : { kind: 'tag', ...tag }
  }
  const commit = await git.findCommit(repositoryId, fullName)
  return commit === null ? null : { kind: 'commit', name: fullName, commitId: fullName }
}

/** Splits `feature/a/sections/intro.tex` into the longest existing ref and the path after it. */
export async function resolveRefAndPath(
  git: GitStore,
  repositoryId: number,
  refAndPath: string,
): Promise<{ readonly ref: ResolvedRef; readonly path: string } | null> {
  const parts = refAndPath.replace(/\/$/, '').split('/')
  for (let count = Math.min(parts.length, MAX_REF_PARTS); count > 0; count--) {
    const ref = await resolveRef(git, repositoryId, parts.slice(0, count).join('/'))
    if (ref !== null) return { ref, path: parts.slice(count).join('/') }
  }
  return null
}
