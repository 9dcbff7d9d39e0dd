/**
 * Suggestions for a missing page of a repository: the same path on the default branch, or refs with similar names.
 * Called only after the viewer is known to have access, so hidden repositories are not revealed.
 */
import { posix } from 'node:path'

import { closestName } from '../../../config/closest-name.ts'
import type { Repository } from '../../../domain/types.ts'
import type { GitStore, TreeEntry } from '../../../git/types.ts'
import { encodePath, repositoryPath } from '../../../domain/page-urls.ts'
import { findFile } from '../../../operations/edit/find-file.ts'
import { resolveRefAndPath } from '../repository/resolve-ref.ts'

/** A link to a similar page. */
export interface Suggestion {
  readonly label: string
  readonly href: string
}

/** Page types whose address contains a ref, or a ref and a path. */
const REF_VIEWS: ReadonlySet<string> = new Set(['tree', 'blob', 'raw', 'blame', 'commits', 'pdf', 'edit'])

/** Most refs compared. */
const MAX_COMPARED = 2_000
/** The cost of a comparison is the product of both lengths. */
const MAX_COMPARED_LENGTH = 80
const MAX_ALIKE = 300
const MAX_PARTS = 6

/** Similar pages; empty for an address other than `/{owner}/{repo}/{view}/{ref}/{path}`. */
export async function suggestInstead(
  rawPath: string,
  { repository, git }: { readonly repository: Repository; readonly git: GitStore },
): Promise<readonly Suggestion[]> {
  const [, , , view = '', ...rest] = rawPath.split('/').map(decode)
  if (!REF_VIEWS.has(view) || rest.length === 0 || rest.length > 32) return []
  const asked = rest.join('/')
  const place = { repository, git, view }
  const found = await resolveRefAndPath(git, repository.id, asked)
  const suggestions =
    found === null ? await suggestRefs(asked, place) : await suggestPaths(found.ref, found.path, place)
  return [...new Map(suggestions.map((each) => [each.href, each])).values()].filter(({ href }) => href !== rawPath)
}

interface Place {
  readonly repository: Repository
  readonly git: GitStore
  readonly view: string
}

/** Names of similar length, few and short enough to compare by characters. */
function namesAlike(asked: string, named: readonly { readonly name: string }[]): readonly string[] {
  if (asked.length > MAX_COMPARED_LENGTH) return []
  return named.flatMap(({ name }) => (Math.abs(name.length - asked.length) <= 2 ? [name] : [])).slice(0, MAX_ALIKE)
}

/** The ref exists, the path does not. */
async function suggestPaths(
  ref: { readonly name: string; readonly commitId: string },
  path: string,
  place: Place,
): Promise<readonly Suggestion[]> {
  const { git, repository } = place
  const folder = posix.dirname(path) === '.' ? '' : posix.dirname(path)
  const siblings = (await git.listFolder(repository.id, ref.commitId, folder)) ?? []
  const near = closestName(posix.basename(path), namesAlike(posix.basename(path), siblings))
  const sibling = siblings.find(({ name }) => name === near)
  return [
    ...(await suggestDefault(path, place)),
    ...(sibling === undefined
      ? []
      : [linkTo(sibling, { ...place, refName: ref.name, path: posix.join(folder, sibling.name) })]),
    { label: `All files on ${ref.name}`, href: `${repositoryPath(repository)}/tree/${encodePath(ref.name)}` },
  ]
}

/** The address starts with no ref: refs with similar names, and the path on the default branch. */
async function suggestRefs(asked: string, place: Place): Promise<readonly Suggestion[]> {
  const { git, repository, view } = place
  const parts = asked.replace(view === 'pdf' ? /\.pdf$/ : /$^/, '').split('/')
  const [{ branches }, tags] = await Promise.all([
    git.pageBranches(repository.id, { offset: 0, limit: MAX_COMPARED }),
    git.listTags(repository.id),
  ])
  const refs = [...branches, ...tags.slice(0, MAX_COMPARED)]
  const suggestions: Suggestion[] = []
  for (let count = 1; count <= Math.min(parts.length, MAX_PARTS); count += 1) {
    const name = parts.slice(0, count).join('/')
    const near = closestName(name, namesAlike(name, refs))
    const ref = refs.find((each) => each.name === near)
    if (ref === undefined) continue
    const path = parts.slice(count).join('/')
    const entry = path === '' ? null : await findFile(git, repository.id, { commitId: ref.commitId, path })
    suggestions.push(
      entry === null ? linkToRef(ref.name, view, repository) : linkTo(entry, { ...place, refName: ref.name, path }),
    )
  }
  return [...suggestions, ...(await suggestDefault(parts.slice(1).join('/'), place))]
}

/** Suggests the same path on the default branch, if it exists. */
async function suggestDefault(path: string, place: Place): Promise<readonly Suggestion[]> {
  const { git, repository } = place
  const head = await git.findBranch(repository.id, repository.defaultBranch)
  if (head === null || path === '') return []
  const entry = await findFile(git, repository.id, { commitId: head.commitId, path })
  return entry === null ? [] : [linkTo(entry, { ...place, refName: head.name, path })]
}

function linkTo(entry: TreeEntry, at: Place & { readonly refName: string; readonly path: string }): Suggestion {
  const { repository, view, refName, path } = at
  const kept = view === 'tree' || view === 'pdf' ? 'blob' : view
  const shown = entry.kind === 'folder' ? 'tree' : kept
  return {
    label: `${path} on ${refName}`,
    href: `${repositoryPath(repository)}/${shown}/${encodePath(refName)}/${encodePath(path)}`,
  }
}

function linkToRef(name: string, view: string, repository: Repository): Suggestion {
  const shown = view === 'pdf' || view === 'commits' ? view : 'tree'
  return { label: name, href: `${repositoryPath(repository)}/${shown}/${encodePath(name)}` }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part // An incorrectly encoded address has no suggestion and causes no error.
  }
}
