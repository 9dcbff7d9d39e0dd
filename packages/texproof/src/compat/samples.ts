import { presentBranch, presentBranchItem, presentTag } from '../api/present/branch.ts'
import { publicUrls } from '../api/present/public-urls.ts'
import { presentRepository } from '../api/present/repository.ts'
import { presentProfile } from '../api/present/user.ts'
import type { Repository, User } from '../domain/types.ts'
import type { Commit, Ref } from '../git/types.ts'

const made = Date.UTC(2026, 2, 3, 9, 12, 44)
const changed = Date.UTC(2026, 4, 21, 16, 40, 5)

const alice: User = {
  id: '1',
  login: 'alice',
  name: 'Alice',
  bio: null,
  email: null,
  avatarId: null,
  isAdmin: false,
  isDisabled: false,
  createdAt: made,
  updatedAt: changed,
}

const tides: Repository = {
  id: 7,
  owner: alice,
  name: 'tides',
  description: 'Why the head of a channel is wetter than its mouth',
  visibility: 'public',
  defaultBranch: 'main',
  isArchived: false,
  isDisabled: false,
  mirrorUrl: null,
  starCount: 3,
  createdAt: made,
  updatedAt: changed,
}

const head: Ref = { name: 'main', commitId: '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12' }
const release: Ref = { name: 'v1.0', commitId: head.commitId }
const author = { name: 'Alice', email: '', at: changed }
const commit: Commit = {
  commitId: head.commitId,
  treeId: 'de9f2c7fd25e1b3afad3e85a0bd17d9b100db4b3',
  parentIds: ['da39a3ee5e6b4b0d3255bfef95601890afd80709'],
  author,
  committer: author,
  message: 'Mention friction in the conclusion',
}

/** Sample responses about one paper, made by the presenters of the API. */
export type Samples = ReturnType<typeof presentSamples>

/** The sample responses of a host at this address. */
export function presentSamples(baseUrl: string) {
  const urls = publicUrls(baseUrl)
  const fresh = { ...tides, id: 8, name: 'waves', description: null, starCount: 0, createdAt: changed }
  const url = urls.repository(alice.login, tides.name)
  return {
    profile: presentProfile(alice, urls, 1),
    ownRepository: presentRepository(tides, urls, 'admin'),
    newRepository: presentRepository(fresh, urls, 'admin'),
    publicRepository: presentRepository(tides, urls, null),
    branch: presentBranchItem(head, url),
    branchWithCommit: presentBranch(head, commit, { repository: tides, urls }),
    tag: presentTag(release, url),
  }
}
