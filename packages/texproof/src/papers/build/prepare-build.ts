import type { Build } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import type { GitStore } from '../../git/types.ts'
import type { Store } from '../../store/store.ts'
import type { PdfStore } from '../cache/pdf-store.ts'
import type { CheckBuildMinutes } from './check-build-minutes.ts'
import { reuseResult } from './reuse-result.ts'
import { refuse } from './run-build.ts'

/** Dependencies of the checks before a build starts. */
export interface PrepareDeps {
  readonly store: Store
  readonly git: GitStore
  readonly pdfs: PdfStore
  readonly checkBuildMinutes: CheckBuildMinutes
  /** Queues builds of the branches and tags of a repository that have none. */
  readonly queueMissing: (repositoryId: number) => Promise<boolean>
}

/** The repository of a build that may start; null if the build is over without a compile. */
export async function prepareBuild(build: Build, deps: PrepareDeps): Promise<Repository | null> {
  const { store, checkBuildMinutes } = deps
  // An administrator may have disabled the repository while the build waited, perhaps from another process.
  const repository = await store.repositories.findById(build.repositoryId)
  if (repository === null || repository.isDisabled) {
    await cancelHidden(build, deps)
    return null
  }
  // Another branch may have built the same files while this build waited.
  if ((await reuseResult(build, deps)) !== null) return null
  const refusal = await checkBuildMinutes(repository.owner)
  if (refusal === null) return repository
  await store.builds.finish(build.id, refuse(refusal))
  return null
}

/** Cancels a build of a repository that was in the trash or disabled a moment ago. */
async function cancelHidden({ id, repositoryId }: Build, { store, queueMissing }: PrepareDeps): Promise<void> {
  await store.builds.cancel([id])
  // If it was restored in between, the restoration found this build waiting and queued no other.
  const repository = await store.repositories.findById(repositoryId)
  if (repository !== null && !repository.isDisabled) await queueMissing(repositoryId)
}
