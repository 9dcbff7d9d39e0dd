import type { Commit, GitStore } from '../../../git/types.ts'

/** What a name in an address means: a branch before a tag of the same name, else a commit id, whole or its beginning. */
export interface ResolvedRef {
  readonly kind: 'branch' | 'tag' | 'commit'
  /** Short name, or the commit id. */
  readonly name: string
  readonly commitId: string
}

/** Names of refs have slashes and so have paths, so an address is tried with ever fewer parts as the ref. */
const MAX_REF_PARTS = 32

/** Finds what a whole name means; null when nothing. */
export async function resolveRef(git: GitStore, repositoryId: number, name: string): Promise<ResolvedRef | null> {
  const branch = await git.findBranch(repositoryId, name)
  if (branch !== null) return { kind: 'branch', ...branch }
  const tag = await git.findTag(repositoryId, name)
  if (tag !== null) return { kind: 'tag', ...tag }
  const commit = await findCommit(git, repositoryId, name)
  return commit === null ? null : { kind: 'commit', name: commit.commitId, commitId: commit.commitId }
}

/** The commit of an id: whole, or as the pages print it, from 7 digits on. */
export async function findCommit(git: GitStore, repositoryId: number, id: string): Promise<Commit | null> {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id)
    ? git.findCommit(repositoryId, id)
    : git.findCommitByPrefix(repositoryId, id)
}

/** `refs/heads/main`, `refs/tags/v1`, or the commit id. */
export function fullRefName({ kind, name, commitId }: ResolvedRef): string {
  if (kind === 'commit') return commitId
  return `refs/${kind === 'branch' ? 'heads' : 'tags'}/${name}`
}

/** Finds what a full name means, or a commit id; null when it is gone. */
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

/** Splits `feature/a/sections/intro.tex` into the longest ref that exists and the path behind it. */
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
