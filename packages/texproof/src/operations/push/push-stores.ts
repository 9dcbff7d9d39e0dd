import type { Config } from '../../config/read-config.ts'
import type { GitStore } from '../../git/types.ts'
import type { Papers } from '../../papers/types.ts'
import type { Store } from '../../store/store.ts'

/** Dependencies of ref updates and post-receive. */
export interface PushStores {
  /** Absent = no quota: repositories that the host creates itself. */
  readonly config?: Pick<Config, 'quotas'>
  readonly store: Store
  readonly git: GitStore
  readonly papers: Pick<Papers, 'moveRefs' | 'removeBuildFiles'>
}
