import type { Repository } from '../../domain/types.ts'
import type { Commit, GitPerson, Ref } from '../../git/types.ts'
import { encodePath } from './public-urls.ts'
import type { PublicUrls } from './public-urls.ts'
import { rememberedJson } from './remembered-json.ts'
import { timestamp } from './timestamp.ts'

/** A branch in a list. */
export function presentBranchItem(branch: Ref, repositoryUrl: string) {
  return { ...presentTag(branch, repositoryUrl), protected: false }
}

/** A tag in a list: always with the commit, even for an annotated tag. */
export function presentTag({ name, commitId }: Ref, repositoryUrl: string) {
  return { name, commit: { sha: commitId, url: `${repositoryUrl}/commits/${commitId}` } }
}

/** `presentBranch` as JSON text. */
export function branchJson(branch: Ref, commit: Commit, options: { repository: Repository; urls: PublicUrls }): string {
  const { repository, urls } = options
  const url = urls.repository(repository.owner.login, repository.name)
  return rememberedJson(commit, `branch ${branch.name} ${url}`, () => presentBranch(branch, commit, options))
}

/** A branch with its commit. Branch protection does not exist here. */
export function presentBranch(branch: Ref, commit: Commit, options: { repository: Repository; urls: PublicUrls }) {
  const { repository, urls } = options
  const { owner, name } = repository
  const path = encodePath(branch.name)
  const self = urls.repository(owner.login, name, `/branches/${path}`)
  return {
    name: branch.name,
    commit: presentCommit(commit, repository, urls),
    _links: { self, html: urls.repositoryPage(owner.login, name, `/tree/${path}`) },
    protected: false,
    protection: { enabled: false, required_status_checks: { enforcement_level: 'off', contexts: [], checks: [] } },
    protection_url: `${self}/protection`,
  }
}

function presentCommit(commit: Commit, repository: Repository, urls: PublicUrls) {
  const api = (path: string) => urls.repository(repository.owner.login, repository.name, path)
  const page = (path: string) => urls.repositoryPage(repository.owner.login, repository.name, path)
  const id = commit.commitId
  return {
    sha: id,
    commit: {
      author: presentPerson(commit.author, urls),
      committer: presentPerson(commit.committer, urls),
      message: commit.message,
      tree: { sha: commit.treeId, url: api(`/git/trees/${commit.treeId}`) },
      url: api(`/git/commits/${id}`),
      comment_count: 0,
    },
    url: api(`/commits/${id}`),
    html_url: page(`/commit/${id}`),
    comments_url: api(`/commits/${id}/comments`),
    author: null,
    committer: null,
    parents: commit.parentIds.map((sha) => ({ sha, url: api(`/commits/${sha}`), html_url: page(`/commit/${sha}`) })),
  }
}

function presentPerson(person: GitPerson, urls: PublicUrls) {
  return { name: person.name, email: urls.placeholderEmail, date: timestamp(person.at) }
}
