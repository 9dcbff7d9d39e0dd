/**
 * The engines, one row each.
 *
 * The switches that make logs readable are the same for all; the matching `max_print_line` and `error_line` are in the
 * sandbox's environment. `-no-parse-first-line` keeps a `%&` line from selecting another format; LuaTeX has neither.
 */
import type { Engine, PassCount } from '../base/types.ts'

/** The table, keyed by engine. */
export const ENGINES: Readonly<Record<Engine, EngineRow>> = {
  pdflatex: {
    engine: 'pdflatex',
    program: 'pdflatex',
    arguments: (invocation) => [
      ...texArguments(invocation),
      '-no-parse-first-line',
      ...(invocation.isDraft ? ['-draftmode'] : []),
      commandLineName(invocation.rootName),
    ],
    recorder: 'fls',
    output: 'pdf',
    canDraft: true,
    isWholePipeline: false,
  },
  xelatex: {
    engine: 'xelatex',
    program: 'xelatex',
    arguments: (invocation) => [
      ...texArguments(invocation),
      '-no-parse-first-line',
      '-no-pdf',
      commandLineName(invocation.rootName),
    ],
    recorder: 'fls',
    output: 'xdv',
    canDraft: false,
    isWholePipeline: false,
  },
  lualatex: {
    engine: 'lualatex',
    program: 'lualatex',
    arguments: (invocation) => [
      ...texArguments(invocation),
      ...(invocation.isDraft ? ['-draftmode'] : []),
      commandLineName(invocation.rootName),
    ],
    recorder: 'fls',
    output: 'pdf',
    canDraft: true,
    isWholePipeline: false,
  },
  tectonic: {
    engine: 'tectonic',
    program: 'tectonic',
    arguments: (invocation) => [
      '--untrusted',
      '--keep-logs',
      '--keep-intermediates',
      '--print',
      // As in the other engines: errors are reported and the rest of the document is still typeset.
      '-Zcontinue-on-errors',
      `--makefile-rules=${RULES_NAME}`,
      ...(invocation.synctex ? ['--synctex'] : []),
      ...(invocation.passes === 'auto' ? [] : ['--reruns', String(invocation.passes - 1)]),
      commandLineName(invocation.rootName),
    ],
    recorder: 'makefile-rules',
    output: 'pdf',
    canDraft: false,
    isWholePipeline: true,
  },
}

/** Where Tectonic writes what it read, beside the root document; no document has this name. */
export const RULES_NAME = '.tectonic-rules.mk'

function texArguments(invocation: EngineInvocation): readonly string[] {
  return [
    '-interaction=nonstopmode',
    '-file-line-error',
    '-recorder',
    '-no-shell-escape',
    `-jobname=${invocation.jobName}`,
    // Negative = not compressed: the paths in it are rewritten before it is read.
    ...(invocation.synctex && !invocation.isDraft ? ['-synctex=-1'] : []),
  ]
}

/** A first argument that starts with `-`, `&` or `\` would be a switch, a format or TeX code. */
function commandLineName(rootName: string): string {
  return /^[-&\\*]/.test(rootName) ? `./${rootName}` : rootName
}

/** Parameters of one pass. */
export interface EngineInvocation {
  /** Root document in the working directory. */
  readonly rootName: string
  /** Stem of every output. */
  readonly jobName: string
  /** True if the pass only writes auxiliary files: its pages are not used. */
  readonly isDraft: boolean
  readonly synctex: boolean
  /** For an engine that repeats itself: the number of passes. */
  readonly passes: PassCount
}

/** Properties of an engine. */
export interface EngineRow {
  readonly engine: Engine
  /** Looked up on the sandbox's PATH. */
  readonly program: string
  readonly arguments: (invocation: EngineInvocation) => readonly string[]
  /** Source of the list of inputs: the recorder file of TeX, or rules for `make`. */
  readonly recorder: 'fls' | 'makefile-rules'
  /** `xdv`: the passes write `.xdv`, and one run of the driver at the end makes the PDF. */
  readonly output: 'pdf' | 'xdv'
  /** True if a draft pass writes the same auxiliary files in less time. */
  readonly canDraft: boolean
  /** True if the program repeats itself and runs BibTeX on its own: the pass loop starts it once. */
  readonly isWholePipeline: boolean
}
