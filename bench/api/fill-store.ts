import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { User } from '../../packages/texproof/src/domain/types.ts'
import { openGitStore } from '../../packages/texproof/src/git/open-git-store.ts'
import type { GitStore } from '../../packages/texproof/src/git/types.ts'
import { addUser } from '../../packages/texproof/src/accounts/users/add-user.ts'
import { createRepository } from '../../packages/texproof/src/operations/repository/create-repository.ts'
import { createToken } from '../../packages/texproof/src/accounts/tokens/create-token.ts'
import { openStore } from '../../packages/texproof/src/store/store.ts'
import type { Store } from '../../packages/texproof/src/store/store.ts'
import { seedCommit } from '../../packages/texproof/test/support/git/seed-refs.ts'

/** Size of the data. */
export interface Amounts {
  /** Number of repositories. */
  readonly repositories: number
  /** Number of repositories of alice. */
  readonly ofAlice: number
  /** Number of branches in alice's repository `paper-0`. */
  readonly branches: number
  readonly tags: number
}

/** Fills a data directory and returns alice's token. Her `paper-1` is private. */
export async function fillStore(dataDir: string, amounts: Amounts): Promise<string> {
  const store = await openStore({ dataDir })
  const git = await openGitStore({ root: join(dataDir, 'repositories') })
  const alice = await newUser(store, 'alice')
  for (let index = 0; index < amounts.ofAlice; index += 1) {
    if (index > 1) await addRow(store, alice, `paper-${index}`)
    else await addWhole({ store, git }, alice, index)
  }
  await addRefs(git, (await store.repositories.findByName('alice', 'paper-0'))?.id ?? 0, amounts)
  const perOwner = 1_000
  for (let index = amounts.ofAlice; index < amounts.repositories; index += perOwner) {
    const owner = await newUser(store, `owner-${index}`)
    const count = Math.min(perOwner, amounts.repositories - index)
    for (let number = 0; number < count; number += 1) await addRow(store, owner, `paper-${number}`)
  }
  const { text } = await createToken(store, { userId: alice.id, name: 'bench', scopes: [], expiresAt: null })
  await git.close()
  await store.close()
  return text
}

async function newUser(store: Store, login: string): Promise<User> {
  const outcome = await addUser(store, { login })
  if (outcome.kind !== 'added') throw new Error(outcome.reason)
  return outcome.user
}

/** A database row only, because lists do not read git. */
async function addRow(store: Store, owner: User, name: string): Promise<void> {
  const description = 'Notes on the tides of the northern sea'
  const row = { owner, name, description, visibility: 'public', defaultBranch: 'main' } as const
  await store.repositories.markReady(await store.repositories.addUnfinished(row))
}

async function addWhole(stores: { store: Store; git: GitStore }, owner: User, index: number): Promise<void> {
  await createRepository(stores, {
    owner,
    name: `paper-${index}`,
    description: 'Notes on the tides of the northern sea',
    visibility: index === 1 ? 'private' : 'public',
    firstCommit: null,
    authorEmail: 'noreply@localhost',
    projectUrl: 'http://localhost',
  })
}

async function addRefs(git: GitStore, repositoryId: number, { branches, tags }: Amounts): Promise<void> {
  const gitDir = git.gitDir(repositoryId)
  const commitId = await seedCommit(gitDir, 'main')
  const names = [
    ...Array.from({ length: branches - 1 }, (_, index) => `refs/heads/topic-${index}`),
    ...Array.from({ length: tags }, (_, index) => `refs/tags/v${Math.floor(index / 100)}.${index % 100}`),
  ]
  const lines = names.toSorted().map((name) => `${commitId} ${name}\n`)
  await writeFile(join(gitDir, 'packed-refs'), `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`)
}
