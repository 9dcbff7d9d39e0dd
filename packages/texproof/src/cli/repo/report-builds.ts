import type { Config } from '../../config/read-config.ts'
import type { Repository } from '../../domain/types.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import type { Store } from '../../store/store.ts'
import { say } from '../say.ts'

/**
 * Waits for the builds of a repository and prints their outcome. Polls the database, since a running server may execute
 * the builds. Does not wait for workers: there may be none.
 */
export async function reportBuilds(
  { config, store }: { readonly config: Config; readonly store: Store },
  { id, owner, name }: Repository,
): Promise<void> {
  for (;;) {
    const builds = await store.builds.list(id, { limit: 100, offset: 0 })
    if (!config.build.isLocal) {
      if (builds.length > 0) say(`  queued for workers: ${countOf(builds.length, 'build')} of ${owner.login}/${name}`)
      return
    }
    if (builds.every(({ state }) => state !== 'queued' && state !== 'running')) {
      const failed = builds.filter(({ state }) => state === 'failed').length
      const words = failed === 0 ? '' : `, ${failed} with errors`
      if (builds.length > 0) say(`  built ${owner.login}/${name}: ${countOf(builds.length, 'build')}${words}`)
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
