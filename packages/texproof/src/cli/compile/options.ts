import type { BibEngine, Engine } from '@texproof/platex'

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
  readonly json?: true
  readonly quiet?: true
  readonly unsafeNoSandbox?: true
}
