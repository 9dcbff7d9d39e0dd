import type { Logger } from 'pino'

import type { Parsers } from '../base/open-parsers.ts'
import type { Config } from '../config/read-config.ts'
import type { GitStore } from '../git/types.ts'
import type { Mail } from '../mail/open-mail.ts'
import type { Demo } from './demo/open-demo.ts'
import type { Papers } from '../papers/types.ts'
import type { Rooms } from '../live/rooms.ts'
import type { Store } from '../store/store.ts'

/** Dependencies of every surface. Created once in `serve`, never imported as values. */
export interface Deps {
  readonly config: Config
  readonly log: Logger
  readonly store: Store
  readonly git: GitStore
  /** Worker threads for user content. */
  readonly parsers: Parsers
  readonly papers: Papers
  /** The drafts, and the people who edit them. */
  readonly rooms: Rooms
  readonly mail: Mail
  readonly demo: Demo
}
