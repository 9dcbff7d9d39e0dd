import { maskTexSource } from './mask-tex-source.ts'

/** Facts read from one source file without running TeX. */
export interface TexScan {
  readonly path: string
  /** Argument of `\documentclass` or `\documentstyle`, or null. */
  readonly documentClass: string | null
  readonly hasDocumentBody: boolean
  /** The source ends as documents in plain TeX do: with `\bye`, or `\end` without an environment. */
  readonly hasPlainEnd: boolean
  /** `% !TEX root = …`, as written, or null. */
  readonly magicRoot: string | null
  /** `% !TEX program = …`, lower case, or null. */
  readonly magicProgram: string | null
  /** The engine that a comment for arara or Emacs names, lower case, and this comment; null without one. */
  readonly toolComment: { readonly program: string; readonly text: string } | null
  /** Arguments of `\input`, `\include`, `\subfile`, `\import` …, as written. */
  readonly includes: readonly string[]
  /** Packages and classes that are loaded, with options and 1-based line, in order. */
  readonly packages: readonly PackageUse[]
  /** 1-based line of the first `\bibliography{…}` or a similar command, or null. */
  readonly bibliographyLine: number | null
  /** 1-based line of the first `\addbibresource{…}`, or null. */
  readonly bibResourceLine: number | null
  /** 1-based line of the first `\printbibliography`, or null. */
  readonly printBibliographyLine: number | null
  /** 1-based line of the first `\cite` or a similar command, or null. */
  readonly citationLine: number | null
  /** The source contains its references. */
  readonly hasReferences: boolean
  /** 1-based line of the first `\directlua`, or null. */
  readonly directLuaLine: number | null
  /** 1-based line of the first `\psfrag`, or null. */
  readonly psfragLine: number | null
  /** The source tests which engine runs, so its packages do not determine the engine. */
  readonly isEngineAware: boolean
}

export interface PackageUse {
  readonly name: string
  readonly options: string
  readonly line: number
}

// Bounded repetitions: a malicious source must be parsed in linear time.
const PACKAGE =
  /\\(?:usepackage|RequirePackage|documentclass|LoadClass)\s{0,9}(?:\[([^\]]{0,2000})\])?\s{0,9}\{([^{}]{0,2000})\}/g
const PASSED_OPTIONS = /\\PassOptionsToPackage\s{0,9}\{([^{}]{0,2000})\}\s{0,9}\{([^{}]{0,2000})\}/g
const DOCUMENT_CLASS = /\\document(?:class|style)\s{0,9}(?:\[[^\]]{0,2000}\])?\s{0,9}\{([^{}]{0,200})\}/
const INCLUDE = /\\(?:input|include|subfile|subfileinclude|InputIfFileExists)\s{0,9}\{([^{}]{1,400})\}/g
const BARE_INPUT = /\\input\s{1,9}([^\s{}\\]{1,400})/g
const IMPORT = /\\(?:sub)?(?:import|includefrom|inputfrom)\*?\s{0,9}\{([^{}]{0,400})\}\s{0,9}\{([^{}]{1,400})\}/g
const ENGINE_QUESTION =
  /\\(?:if(?:xetex|luatex|pdftex|tutex|xetexorluatex|pdf)\b|ifPDFTeX|ifXeTeX|ifLuaTeX|ifTUTeX|RequireTUTeX|sys_if_engine)/
/**
 * Also of multibib (`\bibliographyown`), bibunits, bibentry (`\nobibliography`), bibtopic (`btSect`) and classes with a command
 * of their own.
 */
const BIBLIOGRAPHY =
  /bibliography(?<=\\(?!the)[a-zA-Z]{0,30}bibliography)(?!style|unit)[a-z]{0,30}\s{0,9}\{|\\putbib\b|\\begin\s{0,9}\{btSect\}/
/** Magic comments count only near the top of a file, where editors read them. */
const MAGIC_COMMENT_LINES = 30

/** Reads class, included files, packages and tools from a source. */
export function scanTexSource(path: string, source: string): TexScan {
  const commands = maskTexSource(source)
  const lines = commands.split('\n')
  return {
    path,
    documentClass: DOCUMENT_CLASS.exec(commands)?.[1]?.trim() ?? null,
    hasDocumentBody: /\\begin\s{0,9}\{document\}/.test(commands),
    hasPlainEnd: /\\bye\b|\\end\s*$/.test(commands),
    magicRoot: readMagicComment(source, 'root'),
    magicProgram: readMagicComment(source, 'program')?.toLowerCase() ?? null,
    toolComment: readAraraComment(source) ?? readEmacsVariable(source),
    includes: listIncludes(commands),
    packages: listPackages(commands),
    bibliographyLine: findLine(lines, BIBLIOGRAPHY),
    bibResourceLine: findLine(lines, /\\addbibresource\b/),
    printBibliographyLine: findLine(lines, /\\printbibliography\b/),
    citationLine: findLine(lines, /\\[a-zA-Z]{0,20}cite[a-zA-Z]{0,20}\*?\s{0,9}[[{]/),
    hasReferences: /\\begin\s{0,9}\{thebibliography\}/.test(commands),
    directLuaLine: findLine(lines, /\\directlua\b/),
    psfragLine: findLine(lines, /\\psfrag\*?\s{0,9}[[{]/),
    isEngineAware: ENGINE_QUESTION.test(commands),
  }
}

/** The first of several magic comments with the same key counts, as in editors. */
function readMagicComment(source: string, key: string): string | null {
  for (const line of source.split(/\r\n?|\n/, MAGIC_COMMENT_LINES)) {
    const found = /^\s{0,99}%{1,9}\s{0,9}!T[eE]X\s{1,9}(?:TS-)?([a-zA-Z]{1,20})\s{0,9}=(.*)$/.exec(line.trimEnd())
    if (found?.[1]?.toLowerCase() === key) return found[2]?.trim() || null
  }
  return null
}

const ARARA_ENGINE = /^\s{0,99}%\s{0,9}arara:\s{0,9}(?:latexmk:.{0,200}\bengine:\s{0,9})?((?:pdf|xe|lua|p|up)?latex)\b/i

/** `% arara: xelatex`, or `% arara: latexmk: { engine: xelatex }`. */
function readAraraComment(source: string): TexScan['toolComment'] {
  for (const line of source.split(/\r\n?|\n/, MAGIC_COMMENT_LINES)) {
    const program = ARARA_ENGINE.exec(line)?.[1]?.toLowerCase()
    if (program !== undefined) return { program, text: `% arara: ${program}` }
  }
  return null
}

/** `%%% TeX-engine: luatex`, a file variable of Emacs, which stands in the last 3000 characters. */
function readEmacsVariable(source: string): TexScan['toolComment'] {
  const program = /^%{1,9}\s{0,9}TeX-engine:\s{0,9}(luatex|xetex)\s*$/m.exec(source.slice(-3000))?.[1]
  return program === undefined ? null : { program, text: `TeX-engine: ${program}` }
}

function listIncludes(commands: string): string[] {
  return [
    ...[...commands.matchAll(INCLUDE)].map(([, name = '']) => name.trim()),
    ...[...commands.matchAll(BARE_INPUT)].map(([, name = '']) => name),
    ...[...commands.matchAll(IMPORT)].map(
      ([, folder = '', name = '']) => `${folder.trim().replace(/\/?$/, '/')}${name.trim()}`,
    ),
  ]
}

function listPackages(commands: string): PackageUse[] {
  const lineStarts = [...commands.matchAll(/^/gm)].map(({ index }) => index)
  const uses = [...commands.matchAll(PACKAGE)].flatMap((match) => splitUse(match, lineNumber(lineStarts, match.index)))
  const passed = [...commands.matchAll(PASSED_OPTIONS)].flatMap((match) => splitUse(match, 0))
  if (passed.length === 0) return uses
  const passedTo = Map.groupBy(passed, ({ name }) => name)
  return uses.map((use) => ({
    ...use,
    options: [use, ...(passedTo.get(use.name) ?? [])].map(({ options }) => options).join(','),
  }))
}

function splitUse([, options = '', names = '']: RegExpExecArray, line: number): PackageUse[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => ({ name, options: options.replace(/\s+/g, ''), line }))
}

function findLine(lines: readonly string[], pattern: RegExp): number | null {
  const at = lines.findIndex((line) => pattern.test(line))
  return at === -1 ? null : at + 1
}

/** Binary search for the number of lines that start at or before `at`. */
function lineNumber(lineStarts: readonly number[], at: number): number {
  let low = 0
  let high = lineStarts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lineStarts[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low
}
