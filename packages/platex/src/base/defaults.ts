import type { BibEngine, CompileLimits, Engine, PassCount } from './types.ts'

/** Every default of a compile, on the wire as in the library. Source: compile specification, sections 4 and 8. */
export const DEFAULTS = {
  engine: 'pdflatex' as Engine,
  passes: 'auto' as PassCount,
  bibliography: 'bibtex' as BibEngine,
  timeoutMs: 30_000,
  retry: 0,
  limits: { maxSourceBytes: 5_000_000, maxFilesCount: 50, maxTotalFilesBytes: 25_000_000, maxPdfBytes: 67_108_864 },
} as const satisfies { readonly limits: Required<CompileLimits>; readonly [name: string]: unknown }

/** The longest budget that a request over HTTP can ask for; more is clamped to it. */
export const MAX_WIRE_TIMEOUT_MS = 120_000

/** The longest wait that a JavaScript timer can hold; a longer one would end at once. */
export const MAX_TIMER_MS = 2_147_483_647

/** Name of the document that `source` becomes. */
export const ROOT_FILE = 'main.tex'
