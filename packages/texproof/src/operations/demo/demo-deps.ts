import type { GitStore } from '../../git/types.ts'
import type { Papers } from '../../papers/types.ts'
import type { Store } from '../../store/store.ts'

/** Dependencies of the demo. */
export interface DemoDeps {
  readonly git: GitStore
  readonly papers: Papers
  readonly store: Store
}
