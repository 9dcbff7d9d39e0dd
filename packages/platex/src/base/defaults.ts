import type { BibEngine, CompileLimits, Engine, PassCount } from './types.ts'

/** All defaults of a compile, over HTTP and in the library. Source: compile specification, sections 4 and 8. */
export const DEFAULTS = {
  engine: 'pdflatex' as Engine,
  passes: 'auto' as PassCount,
  bibliography: 'bibtex' as BibEngine,
  timeoutMs: 30_000,
  retry: 0,
  limits: { maxSourceBytes: 5_000_000, maxFilesCount: 50, maxTotalFilesBytes: 25_000_000, maxPdfBytes: 67_108_864 },
} as const satisfies { readonly limits: Required<CompileLimits>; readonly [name: string]: unknown }

/** Maximum timeout of a request over HTTP; a longer one is clamped. */
export const MAX_WIRE_TIMEOUT_MS = 120_000

/** The longest delay of a JavaScript timer; a longer one would fire immediately. */
export const MAX_TIMER_MS = 2_147_483_647

/** Default name of the root file. */
export const ROOT_FILE = 'main.tex'
