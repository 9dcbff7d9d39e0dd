/**
 * The engines, one row each.
 *
 * The switches that make logs readable are the same for all; the matching `max_print_line` and `error_line` are in the
 * sandbox's environment. `-no-parse-first-line` keeps a `%&` line from selecting another format; LuaTeX has neither.
 */
import type { ProjectEngine, PassCount } from '../base/types.ts'

/** The table, keyed by engine. */
export const ENGINES: Readonly<Record<ProjectEngine, EngineRow>> = {
  pdflatex: {
    engine: 'pdflatex',
    program: 'pdflatex',
    arguments: (invocation) => [
      ...texArguments(invocation),
      ...firstLineArguments(invocation),
      ...(invocation.isDraft ? ['-draftmode'] : []),
      commandLineName(invocation.rootName),
    ],
    recorder: 'fls',
    output: 'pdf',
    drivers: [],
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
    drivers: ['xdvipdfmx'],
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
    drivers: [],
    canDraft: true,
    isWholePipeline: false,
  },
  latex: dviRow('latex', ['dvips', 'gs']),
  platex: dviRow('platex', ['dvipdfmx']),
  uplatex: dviRow('uplatex', ['dvipdfmx']),
  tectonic: {
    engine: 'tectonic',
    program: 'tectonic',
    arguments: (invocation) => [
      '--untrusted',
      '--keep-logs',
      '--keep-intermediates',
      '--print',
      // Errors are reported and the rest of the document is still typeset, as in the other engines.
      '-Zcontinue-on-errors',
      `--makefile-rules=${RULES_NAME}`,
      ...(invocation.synctex ? ['--synctex'] : []),
      ...(invocation.passes === 'auto' ? [] : ['--reruns', String(invocation.passes - 1)]),
      commandLineName(invocation.rootName),
    ],
    recorder: 'makefile-rules',
    output: 'pdf',
    drivers: [],
    canDraft: false,
    isWholePipeline: true,
  },
}

/** File beside the root file in which Tectonic lists its inputs; no document has this name. */
export const RULES_NAME = '.tectonic-rules.mk'

function dviRow(engine: 'latex' | 'platex' | 'uplatex', drivers: readonly string[]): EngineRow {
  return {
    engine,
    program: engine,
    arguments: (invocation) => [
      ...texArguments(invocation),
      ...firstLineArguments(invocation),
      commandLineName(invocation.rootName),
    ],
    recorder: 'fls',
    output: 'dvi',
    drivers,
    canDraft: false,
    isWholePipeline: false,
  }
}

function texArguments(invocation: EngineInvocation): readonly string[] {
  return [
    '-interaction=nonstopmode',
    '-file-line-error',
    '-recorder',
    invocation.runsGregorio ? '-shell-restricted' : '-no-shell-escape',
    `-jobname=${invocation.jobName}`,
    // Negative = not compressed: the paths in it are rewritten before it is read.
    ...(invocation.synctex && !invocation.isDraft ? ['-synctex=-1'] : []),
  ]
}

/** Disables `%&` lines, except for the choice of a character table. */
function firstLineArguments({ translateFile = null }: EngineInvocation): readonly string[] {
  return ['-no-parse-first-line', ...(translateFile === null ? [] : [`-translate-file=${translateFile}`])]
}

/** A first argument that starts with `-`, `&` or `\` would be a switch, a format or TeX code. */
function commandLineName(rootName: string): string {
  return /^[-&\\*]/.test(rootName) ? `./${rootName}` : rootName
}

/** Parameters of one pass. */
export interface EngineInvocation {
  /** Root file in the working directory. */
  readonly rootName: string
  /** Stem of every output. */
  readonly jobName: string
  /** True if the pass only writes auxiliary files: its pages are not used. */
  readonly isDraft: boolean
  readonly synctex: boolean
  /** The table by which characters are translated, for engines that do so; null = none. @default null */
  readonly translateFile?: string | null
  /** True if TeX may start the programs that its environment allows. */
  readonly runsGregorio?: boolean
  /** Number of passes, for an engine that repeats passes itself. */
  readonly passes: PassCount
}

/** Properties of an engine. */
export interface EngineRow {
  readonly engine: ProjectEngine
  /** Looked up on the sandbox's PATH. */
  readonly program: string
  readonly arguments: (invocation: EngineInvocation) => readonly string[]
  /** Source of the list of inputs: the recorder file of TeX, or rules for `make`. */
  readonly recorder: 'fls' | 'makefile-rules'
  /** `xdv` and `dvi`: the passes write such a file, and drivers make the PDF from it at the end. */
  readonly output: 'pdf' | 'xdv' | 'dvi'
  /** Programs that do so; the engine is of no use without them. */
  readonly drivers: readonly string[]
  /** True if a draft pass writes the same auxiliary files in less time. */
  readonly canDraft: boolean
  /** True if the program repeats itself and runs BibTeX on its own: the pass loop starts it once. */
  readonly isWholePipeline: boolean
}
