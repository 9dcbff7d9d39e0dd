import type { BibEngine, Engine, PassCount } from '../types.ts'

/** One compile as asked for: parsed, checked and with every default filled in. Where it runs is not decided yet. */
export interface CompileRequest {
  readonly source: string
  readonly engine: Engine
  readonly passes: PassCount
  readonly bibliography: BibEngine
  /** Relative path → bytes, `main.tex` not included. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly timeoutMs: number
}
