import type { BibEngine, Engine } from '@texproof/platex'

import type { Listen } from '../../config/parse-values.ts'

/** What was typed after `texproof compile`, checked only as far as the list of choices goes. */
export interface CompileCommandOptions {
  readonly output?: string
  readonly engine?: Engine
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
  /** Where the preview listens; `true` = the usual place. */
  readonly serve?: Listen | true
  readonly json?: true
  readonly events?: true
  readonly quiet?: true
  readonly verbose?: true
  readonly unsafeNoSandbox?: true
}
