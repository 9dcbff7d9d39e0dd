import type { ProjectEngine, LatexWarning } from '../../base/types.ts'
import { ENGINES } from '../../engine/engines.ts'
import type { Recorder } from '../read-recorder.ts'

/** Packages that need shell commands, which are disabled. */
const SHELL_PACKAGES: Readonly<Record<string, string>> = {
  'minted.sty': 'minted',
  'minted2.sty': 'minted',
  'asymptote.sty': 'asymptote',
  'gnuplottex.sty': 'gnuplottex',
  'markdown.sty': 'markdown',
  'auto-pst-pdf.sty': 'auto-pst-pdf',
}

/** A package whose program runs between two passes, without the shell of TeX. */
interface ProgramPackage {
  readonly file: string
  /** Log message of the package if results of the program are missing. */
  readonly missing: RegExp
  readonly message: string
}

const PROGRAM_PACKAGES: readonly ProgramPackage[] = [
  {
    file: 'pythontex.sty',
    missing: /^(?:Run PythonTeX to create it|Package PythonTeX Warning: (?:Missing|Non-existent))/m,
    message:
      'pythontex needs the results of the program pythontex, which does not run here: some are missing. ' +
      'Run it on your computer, and add the folder pythontex-files-… to the project.',
  },
  {
    file: 'sagetex.sty',
    missing:
      /^Package sagetex Warning: (?:there were undefined Sage|Graphics file .{1,1000} does not exist|`final' option)/im,
    message:
      'sagetex needs the results of Sage, which does not run here: some are missing. ' +
      'Run Sage on your computer, and add the file ….sagetex.sout and the folder sage-plots-for-… to the project.',
  },
]

/** One warning for each package that needed shell escape, another program or another engine, without an error of its own. */
export function warnOfRefusedPackages(
  recorder: Recorder,
  logText: string,
  engine: ProjectEngine,
): readonly LatexWarning[] {
  const loaded = new Set(recorder.names.map((name) => name.slice(name.lastIndexOf('/') + 1)))
  return [
    ...warnOfMissingShell(loaded, logText, engine),
    ...warnOfMissingResults(loaded, logText),
    ...warnOfMissingPostScript(loaded, engine),
  ]
}

/** A project can contain the results: then nothing is missing. */
function warnOfMissingResults(loaded: ReadonlySet<string>, logText: string): readonly LatexWarning[] {
  return PROGRAM_PACKAGES.filter(({ file, missing }) => loaded.has(file) && missing.test(logText)).map(
    ({ message }) => ({ type: 'warning', code: 'other', file: null, line: null, message }),
  )
}

/** These run psfrag in an engine that writes DVI. */
const PSFRAG_RUNNERS = ['pst-pdf.sty', 'auto-pst-pdf.sty', 'pstool.sty']

function warnOfMissingPostScript(loaded: ReadonlySet<string>, engine: ProjectEngine): readonly LatexWarning[] {
  const isDone = ENGINES[engine].output === 'dvi' || PSFRAG_RUNNERS.some((file) => loaded.has(file))
  if (isDone || !loaded.has('psfrag.sty')) return []
  const message =
    `psfrag cannot replace text in pictures with ${engine}: they keep their own text. ` +
    'In a project, % !TEX program = latex selects an engine that can.'
  return [{ type: 'warning', code: 'other', file: null, line: null, message }]
}

function warnOfMissingShell(
  loaded: ReadonlySet<string>,
  logText: string,
  engine: ProjectEngine,
): readonly LatexWarning[] {
  const packages = new Set(Object.entries(SHELL_PACKAGES).flatMap(([file, name]) => (loaded.has(file) ? [name] : [])))
  // With a cache in the project, minted starts no program.
  if (!/Package minted (?:Error|Warning)/.test(logText)) packages.delete('minted')
  // LuaTeX converts Markdown itself.
  if (engine === 'lualatex') packages.delete('markdown')
  // Other engines draw pstricks themselves.
  if (engine !== 'pdflatex' && engine !== 'lualatex') packages.delete('auto-pst-pdf')
  // TikZ reports this itself, for each picture.
  const isExternalizing = loaded.has('tikzexternal.sty') || loaded.has('tikzlibraryexternal.code.tex')
  const refused = [...logText.matchAll(/^runsystem\(([^\s)]+).*\)\.\.\.disabled/gm)].map(([, command]) => command ?? '')
  const names = refused.length > 0 && packages.size === 0 ? new Set(refused) : packages
  const isKnown = (name: string): boolean =>
    DONE_WITHOUT_SHELL.has(name) || (isExternalizing && /^(?:pdf|lua|xe)latex$/.test(name))
  return [...names].filter((name) => !isKnown(name)).map(warningOf)
}

/** Commands that the pipeline runs between passes instead. */
const DONE_WITHOUT_SHELL: ReadonlySet<string> = new Set([
  'repstopdf',
  'epstopdf',
  'makeindex',
  'splitindex',
  'texindy',
  'xindy',
])

function warningOf(name: string): LatexWarning {
  const message = `${name} needs shell escape, which is disabled here: its output is missing.`
  return { type: 'warning', code: 'other', file: null, line: null, message }
}
