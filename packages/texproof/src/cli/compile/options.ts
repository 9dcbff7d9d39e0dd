import type { BibEngine, ProjectEngine } from '@texproof/platex'

import type { Listen } from '../../config/parse-values.ts'

/** The options of `texproof compile`; only choices are checked. */
export interface CompileCommandOptions {
  readonly output?: string
  readonly engine?: ProjectEngine
  readonly passes: 'auto' | '1' | '2' | '3'
  readonly bibliography?: BibEngine
  readonly file?: readonly string[]
  readonly timeout: string
  readonly remote?: string
  readonly apiKeyFile?: string
  readonly maxWarnings?: string
  readonly allowErrors?: true
  readonly log?: string
  readonly explain?: true
  readonly watch?: true
  readonly open?: true
  /** Address of the preview; `true` = the default. */
  readonly serve?: Listen | true
  readonly json?: true
  readonly events?: true
  readonly quiet?: true
  readonly verbose?: true
  readonly unsafeNoSandbox?: true
}
