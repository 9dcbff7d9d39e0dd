import { removeUnfinishedRepositories } from '../repository/remove-unfinished.ts'
import type { DemoDeps } from './demo-deps.ts'
import { findDemo, heldForMs, holdDemo } from './demo-record.ts'
import type { DemoHold, DemoRecord } from './demo-record.ts'
import { readDemoRepositories } from './demo-repositories.ts'
import { demoUsers } from './demo-repository.ts'

/** Without `papers` the builds under way belong to another process, and end there for want of their repository. */
export type RemoveDemoDeps = Pick<DemoDeps, 'git' | 'store'> & Partial<Pick<DemoDeps, 'papers'>>

/** `none` = there is no demonstration; `busy` = somebody loads or removes it at this moment. */
export type RemoveDemoOutcome = 'removed' | 'none' | 'busy'

/** Removes what was made for the demonstration, and nothing else: its people stay where they own more. */
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

/** Clears away everything that the record names, done or half done. It can be broken off and begun again. */
export async function undoDemo(deps: RemoveDemoDeps, hold: DemoHold): Promise<void> {
  const { git, store } = deps
  const record = hold.record()
  for (const id of [...record.repositoryIds, ...(await findUnnoted(deps, record))]) {
    await stopBuilds(deps, id)
    await git.removeRepository(id)
    await store.repositories.remove(id)
    await hold.note({})
  }
  // A creation that was broken off would keep its owner here.
  await removeUnfinishedRepositories({ store, git })
  for (const id of record.userIds) await store.users.removeWithoutRepositories(id)
}

/** The repository that was made last before a crash may not be in the record; its name tells it. */
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

async function stopBuilds({ papers, store }: RemoveDemoDeps, repositoryId: number): Promise<void> {
  if (papers === undefined) return
  const builds = await store.builds.list(repositoryId, { limit: 100, offset: 0 })
  for (const { id, state } of builds) if (state === 'queued' || state === 'running') await papers.stopBuild(id)
}
