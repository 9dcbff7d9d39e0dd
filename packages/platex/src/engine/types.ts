import type { Engine, PassCount } from '../base/types.ts'

/** How an engine is started for one pass. */
export interface EngineInvocation {
  /** Root document in the working directory. */
  readonly rootName: string
  /** Stem of every output. */
  readonly jobName: string
  /** True when the pass only has to write aux files: nobody will look at its pages. */
  readonly isDraft: boolean
  readonly synctex: boolean
  /** For an engine that repeats itself: how often. */
  readonly passes: PassCount
}

/** One engine, as data. */
export interface EngineRow {
  readonly engine: Engine
  /** Looked up on the sandbox's PATH. */
  readonly program: string
  readonly arguments: (invocation: EngineInvocation) => readonly string[]
  /** Which file tells what was read: the recorder file of TeX, or rules for `make`. */
  readonly recorder: 'fls' | 'makefile-rules'
  /** `xdv`: the passes write `.xdv`, and one run of the driver at the end makes the PDF. */
  readonly output: 'pdf' | 'xdv'
  /** True when a draft pass leaves the same aux files and saves time. */
  readonly canDraft: boolean
  /** True when the program repeats itself and runs BibTeX on its own: the pass loop starts it once. */
  readonly isWholePipeline: boolean
}
