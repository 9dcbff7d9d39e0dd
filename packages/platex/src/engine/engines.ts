/**
 * What an engine is: one row each.
 *
 * The switches that make logs easy to read are the same everywhere; their partners (`max_print_line`, `error_line`) are
 * in the sandbox's environment. `-no-parse-first-line` keeps a `%&` line from choosing another format, and LuaTeX has
 * no such switch because it has no such line.
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
      // As the other engines: an error is told and the rest of the document still comes out.
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

/** Where Tectonic writes what it read, beside the root document; no document is called so. */
export const RULES_NAME = '.tectonic-rules.mk'

function texArguments(invocation: EngineInvocation): readonly string[] {
  return [
    '-interaction=nonstopmode',
    '-file-line-error',
    '-recorder',
    '-no-shell-escape',
    `-jobname=${invocation.jobName}`,
    // Negative = not compressed: the paths in it are rewritten before anyone reads it.
    ...(invocation.synctex && !invocation.isDraft ? ['-synctex=-1'] : []),
  ]
}

/** A first argument that starts with `-`, `&` or `\` would be a switch, a format or TeX code. */
function commandLineName(rootName: string): string {
  return /^[-&\\*]/.test(rootName) ? `./${rootName}` : rootName
}

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
