import { removeUnfinishedRepositories } from '../repository/remove-unfinished.ts'
import { stopBuilds } from '../repository/stop-builds.ts'
import type { DemoDeps } from './demo-deps.ts'
import { findDemo, heldForMs, holdDemo } from './demo-record.ts'
import type { DemoHold, DemoRecord } from './demo-record.ts'
import { readDemoRepositories } from './demo-repositories.ts'
import { demoUsers } from './demo-repository.ts'

/** Without `papers`, running builds belong to another process; they end when their repository is gone. */
export type RemoveDemoDeps = Pick<DemoDeps, 'git' | 'store'> & Partial<Pick<DemoDeps, 'papers'>>

/** `none` = there is no demo; `busy` = the demo is being loaded or removed. */
export type RemoveDemoOutcome = 'removed' | 'none' | 'busy'

/** Removes only what was created for the demo: its users stay if they own other repositories. */
export async function removeDemo(deps: RemoveDemoDeps): Promise<RemoveDemoOutcome> {
  const { settings } = deps.store
  const found = await findDemo(settings)
  if (found === null) return 'none'
  if (heldForMs(found) > 0) return 'busy'
  const { userIds, repositoryIds, repositoryCount } = found
  const hold = await holdDemo(settings, found, { state: 'removing', userIds, repositoryIds, repositoryCount })
  if (hold === null) return 'busy'
  await undoDemo(deps, hold)
  await hold.forget()
  return 'removed'
}

/** Removes everything in the record, complete or unfinished. It can be interrupted and repeated. */
export async function undoDemo(deps: RemoveDemoDeps, hold: DemoHold): Promise<void> {
  const { git, papers, store } = deps
  const record = hold.record()
  for (const id of [...record.repositoryIds, ...(await findUnnoted(deps, record))]) {
    if (papers !== undefined) await stopBuilds({ papers, store }, id)
    await git.removeRepository(id)
    await papers?.removeBuildFiles(id)
    await store.repositories.remove(id)
    await hold.note({})
  }
  // An unfinished repository would keep its owner from being removed.
  await removeUnfinishedRepositories({ store, git, papers })
  // On a new host, a user of the demo is the only administrator.
  for (const id of record.userIds) await store.users.remove(id, { mayBeLastAdministrator: true })
}

/** After a crash, the repository that was created last may be missing in the record. It is found by its name. */
async function findUnnoted(
  { store }: Pick<RemoveDemoDeps, 'store'>,
  { userIds, repositoryIds, repositoryCount }: DemoRecord,
): Promise<readonly number[]> {
  if (repositoryIds.length >= repositoryCount) return []
  const wanted = (await readDemoRepositories())[repositoryIds.length]
  const ownerId = wanted === undefined ? undefined : userIds[demoUsers.indexOf(wanted.owner)]
  const owner = ownerId === undefined ? null : await store.users.findById(ownerId)
  const found = owner === null ? null : await store.repositories.findByName(owner.login, wanted?.name ?? '')
  return found === null ? [] : [found.id]
}
