/** Initial state of the fault tests: created once, copied for each run. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { BucketAddress } from '../../../src/config/parse-bucket-url.ts'
import type { Caller, Repository } from '../../../src/domain/types.ts'
import { addUser } from '../../../src/accounts/users/add-user.ts'
import { createRepository } from '../../../src/operations/repository/create-repository.ts'
import { createToken } from '../../../src/accounts/tokens/create-token.ts'
import { deleteBranch } from '../../../src/operations/branch/delete-branch.ts'
import { deleteRepository } from '../../../src/operations/repository/delete-repository.ts'
import { runTestGit } from '../../support/programs/run-program.ts'
import { openFaultHost, type FaultHost } from './open-fault-host.ts'
import { eventually } from '../../../../platex/test/support/eventually.ts'

const ARTICLE = '\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n'

/** Names and ids that operations need. */
export interface FaultSetting {
  /** A working copy with branches `main` (as pushed), `next` (one commit more) and the tags `v1` and `v2`. */
  readonly checkout: string
  readonly token: string
  /** Commit of `main` of the repository `paper`. */
  readonly headId: string
  /** Id of a branch `gone` of `paper`. */
  readonly deletedBranchId: number
  /** Id of the newest build: later ones are requested by operations. */
  readonly lastBuildId: number
  /** When the setting was completed, epoch milliseconds. */
  readonly madeAt: number
  /** Id of the repository `trashed`. */
  readonly trashedId: number
  readonly targets: MoveTargets
}

/** Databases and buckets to which hosts can be moved; null = not started. */
export interface MoveTargets {
  /** URL of the administrator's database of a PostgreSQL server. */
  readonly postgresUrl: string | null
  readonly bucket: BucketAddress | null
}

/** A host with its setting. */
export interface FaultContext extends FaultSetting, FaultHost {
  readonly alice: Caller
  /** `alice/{name}`. @throws Error if it does not exist. */
  getRepository(name: string): Promise<Repository>
}

/** Creates the setting; returns its folder, with the data directory in `data`. */
export async function makeFaultSetting(
  targets: MoveTargets = { postgresUrl: null, bucket: null },
): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'texproof-faults-'))
  const host = await openFaultHost(join(folder, 'data'), { buildsAtOnce: 2 })
  try {
    const setting = { ...(await fill(host, join(folder, 'checkout'))), targets }
    await writeFile(join(folder, 'setting.json'), JSON.stringify(setting))
  } finally {
    await host.close()
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) }
}

async function fill({ deps, origin }: FaultHost, checkout: string): Promise<Omit<FaultSetting, 'targets'>> {
  const added = await addUser(deps.store, { login: 'alice' })
  if (added.kind !== 'added') throw new Error(added.reason)
  const { user: owner } = added
  const { text: token } = await createToken(deps.store, {
    userId: owner.id,
    name: 'test',
    scopes: ['repo:write'],
    expiresAt: null,
  })
  const repositories: Repository[] = []
  for (const name of ['paper', 'empty', 'trashed']) {
    const details = {
      description: null,
      visibility: 'public',
      firstCommit: null,
      authorEmail: '',
      projectUrl: '',
    } as const
    const made = await createRepository(deps, { ...details, owner, name })
    if (made.kind === 'created') repositories.push(made.repository)
  }
  const [paper, , trashed] = repositories
  if (paper === undefined || trashed === undefined) throw new Error('make repositories')
  await fillCheckout(checkout)
  const url = `${origin.replace('://', `://git:${token}@`)}/alice`
  await runTestGit(checkout, ['push', `${url}/paper.git`, 'main', 'main:old', 'main:gone'])
  await runTestGit(checkout, ['push', `${url}/trashed.git`, 'main'])
  await eventually(() => deps.store.builds.list(paper.id, { limit: 9, offset: 0 }), {
    until: (builds) => builds.every(({ finishedAt }) => finishedAt !== null),
  })
  const headId = await runTestGit(checkout, ['rev-parse', 'main'])
  await deleteBranch(deps, { repository: paper, actor: owner, name: 'gone', commitId: headId })
  const [deleted] = await deps.store.deletedBranches.listOfRepository(paper.id, { since: 0 })
  await deleteRepository(deps, { repository: trashed, actor: owner })
  const built = await Promise.all([paper, trashed].map(({ id }) => deps.store.builds.list(id, { limit: 9, offset: 0 })))
  const lastBuildId = Math.max(...built.flat().map(({ id }) => id))
  return {
    checkout,
    token,
    headId,
    deletedBranchId: deleted?.id ?? 0,
    lastBuildId,
    madeAt: Date.now(),
    trashedId: trashed.id,
  }
}

/** The commit of `next` has the files of `main`, so their PDF exists. */
async function fillCheckout(checkout: string): Promise<void> {
  await runTestGit('/', ['init', '--quiet', '--initial-branch=main', checkout])
  await writeFile(join(checkout, 'main.tex'), ARTICLE)
  const person = ['-c', 'user.name=Alice', '-c', 'user.email=alice@example.org']
  await runTestGit(checkout, ['add', '--all'])
  await runTestGit(checkout, [...person, 'commit', '--quiet', '--message=Begin'])
  await runTestGit(checkout, ['switch', '--quiet', '--create', 'next'])
  await runTestGit(checkout, [...person, 'commit', '--quiet', '--allow-empty', '--message=Go on'])
  await runTestGit(checkout, [...person, 'tag', '--annotate', '--message=One', 'v1'])
  await runTestGit(checkout, ['tag', 'v2'])
}

/** Copies the data directory of a setting. */
export async function copyData(folder: string, name: string): Promise<string> {
  // Not a fixed name: the state of a process with the same id, whose run had a problem, is kept.
  const dataDir = await mkdtemp(join(folder, `${name}-`))
  await cp(join(folder, 'data'), dataDir, { recursive: true })
  return dataDir
}

/** Opens a host on a copy of the setting in `folder`. */
export async function openContext(
  folder: string,
  dataDir: string,
  options: Parameters<typeof openFaultHost>[1],
): Promise<FaultContext> {
  const setting = JSON.parse(await readFile(join(folder, 'setting.json'), 'utf8')) as FaultSetting
  const host = await openFaultHost(dataDir, options)
  const user = await host.deps.store.users.findByLogin('alice')
  if (user === null) throw new Error('alice is missing')
  return {
    ...setting,
    ...host,
    alice: { user, scopes: ['repo:write'], tokenId: null },
    async getRepository(name) {
      const repository = await host.deps.store.repositories.findByName('alice', name)
      if (repository === null) throw new Error(`alice/${name} is missing`)
      return repository
    },
  }
}
