import type { Config } from '../../config/read-config.ts'
import type { GitStore } from '../../git/types.ts'
import type { Papers } from '../../papers/types.ts'
import type { Store } from '../../store/store.ts'

/** What it takes to move refs and to do what follows. */
export interface PushStores {
  /** Absent = no quota: what the host creates by itself. */
  readonly config?: Pick<Config, 'quotas'>
  readonly store: Store
  readonly git: GitStore
  readonly papers: Pick<Papers, 'moveRefs'>
}
