/**
 * Which texts in a log are names of files, and which of those files belong to the user.
 *
 * The recorder file (`.fls`) of the same pass contains every name that TeX opened, exactly as printed, so a `(` in the
 * log opens a file only before one of those names. That takes spaces, parentheses and any script in names. Without a
 * complete recorder file (a log of another compiler, a killed pass) names are recognized by their form.
 */

import type { EngineLog } from '../types.ts'

export interface FileNames {
  /** Reads the file name that starts at `text[at]`, quotes included, or null when none does. */
  readonly readAt: (text: string, at: number) => NameInLog | null
  /** True when this exact text names a file. */
  readonly isName: (text: string) => boolean
  /** The user's own file behind a printed name, relative to the root of the job; null for files of others. */
  readonly userFile: (printed: string) => string | null
  /** True for a file of the TeX installation, according to its path. */
  readonly isOfSystem: (printed: string) => boolean
  /** The root file, relative to the root of the job. */
  readonly rootFile: string
}

export interface NameInLog {
  readonly name: string
  /** Index of the first character after the name and its closing quote. */
  readonly end: number
}

/** `isComplete`: the transcript reached its end, so the recorder file is whole too. */
export function createFileNames(input: EngineLog, lines: readonly string[], isComplete: boolean): FileNames {
  const workspace = workspaceOf(input, lines)
  const rootFile = plainName(input.rootFile, workspace) || firstFile(lines) || 'main.tex'
  const known = knownNames(input, workspace)
  const guesses = input.recordedFiles === null || !isComplete

  function readAt(text: string, at: number): NameInLog | null {
    const isQuoted = text[at] === '"'
    const start = isQuoted ? at + 1 : at
    const end = known.endOfLongest(text, start) ?? (guesses ? endOfPath(text, start) : null)
    if (end === null) return null
    return { name: text.slice(start, end), end: isQuoted && text[end] === '"' ? end + 1 : end }
  }

  function isName(text: string): boolean {
    return known.has(text) || (guesses && endOfPath(text, 0) === text.length)
  }

  function userFile(printed: string): string | null {
    const name = plainName(printed, workspace)
    if (name === rootFile || input.sources.has(name)) return name
    // Tectonic prints names as the document wrote them.
    if (input.sources.has(`${name}.tex`)) return `${name}.tex`
    if (input.sources.size > 0) return null
    return isOfSystem(name) || isGenerated(name) ? null : name
  }

  return { readAt, isName, userFile, isOfSystem: (printed) => isOfSystem(plainName(printed, workspace)), rootFile }
}

/** `./a/../b.tex`, `"b.tex"` and `<workspace>/b.tex` are all `b.tex`. */
function plainName(printed: string, workspace: string | null): string {
  let name = printed.replaceAll('"', '').replaceAll('\\', '/')
  if (workspace !== null && name.startsWith(`${workspace}/`)) name = name.slice(workspace.length + 1)
  if (!/(?:^|\/)\.{0,2}(?:\/|$)/.test(name)) return name
  const isAbsolute = name.startsWith('/')
  const segments: string[] = []
  for (const segment of name.split('/')) {
    if (segment === '..' && segments.length > 0 && segments[segments.length - 1] !== '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return (isAbsolute ? '/' : '') + segments.join('/')
}

/** The folder to strip from names: the given one, or the folder of an absolute root file. */
function workspaceOf(input: EngineLog, lines: readonly string[]): string | null {
  if (input.workspacePath !== null) return input.workspacePath.replace(/\/+$/, '')
  if (input.sources.size > 0) return null
  const root = firstFile(lines)?.replaceAll('\\', '/') ?? ''
  return /^(?:\/|[A-Za-z]:\/)/.test(root) ? root.slice(0, root.lastIndexOf('/')) : null
}

/** The first file that a transcript opens is its root file. */
function firstFile(lines: readonly string[]): string | null {
  for (const line of lines.slice(0, 40)) {
    if (!line.startsWith('(')) continue
    const start = line[1] === '"' ? 2 : 1
    const end = endOfPath(line, start)
    if (end !== null) return line.slice(start, end).replace(/^\.\//, '')
  }
  return null
}

interface KnownNames {
  readonly has: (text: string) => boolean
  readonly endOfLongest: (text: string, start: number) => number | null
}

/** A set of names that finds its longest member at a place in a text, trying only the lengths that occur. */
function knownNames(input: EngineLog, workspace: string | null): KnownNames {
  const names = new Set<string>()
  for (const name of [...(input.recordedFiles ?? []), ...input.sources.keys(), input.rootFile]) {
    const plain = name.replaceAll('"', '').replace(/^(?:\.\/)+/, '')
    if (plain === '') continue
    names.add(plain)
    if (workspace !== null && !plain.startsWith('/')) names.add(`${workspace}/${plain}`)
    if (workspace !== null && plain.startsWith(`${workspace}/`)) names.add(plain.slice(workspace.length + 1))
  }
  const lengthsByStart = new Map<string, number[]>()
  for (const name of names) {
    const start = name.slice(0, prefixLength)
    const lengths = lengthsByStart.get(start) ?? []
    if (!lengths.includes(name.length)) lengths.push(name.length)
    lengthsByStart.set(start, lengths)
  }
  for (const lengths of lengthsByStart.values()) lengths.sort((a, b) => b - a)

  function endOfLongest(text: string, start: number): number | null {
    const from = text.startsWith('./', start) ? start + 2 : start
    for (let prefix = prefixLength; prefix > 0; prefix -= 1) {
      const lengths = lengthsByStart.get(text.slice(from, from + prefix)) ?? []
      for (const length of lengths) {
        if (prefix < prefixLength && length !== prefix) continue
        if (isBoundary(text, from + length) && names.has(text.slice(from, from + length))) return from + length
      }
    }
    return null
  }

  return { has: (text) => names.has(text.replaceAll('"', '').replace(/^(?:\.\/)+/, '')), endOfLongest }
}

const prefixLength = 4

function isBoundary(text: string, at: number): boolean {
  return at >= text.length ? at === text.length : ' )([]{}<>"\t'.includes(text[at] ?? '')
}

const texExtensions =
  /\.(?:tex|ltx|sty|cls|clo|def|cfg|fd|ldf|aux|toc|lof|lot|out|nav|snm|vrb|bbl|ind|gls|acr|glo|lol|loa|loe|thm|bst|dtx|ins|mkii|code\.tex|lua|trsl|bbx|cbx|lbx|dbx|tikz|pgf|pdf_tex|pstex_t|eps_tex|enc|map|cnf|txt|mld|opm|data|table|w18|mtc\d*|maf|ptc\d*|bst|inc|rtx|ltxb?|per|msg|nls|dict|tui|tuo|pytxcode|pytxmcr|dat|csv|lst|bb|xbb|ldc)$/i

/** Where a text that looks like a path ends: a known extension, or any extension after a `/`; null = no path. */
function endOfPath(text: string, start: number): number | null {
  const limit = Math.min(text.length, start + 400)
  for (let at = start; at < limit; at += 1) {
    const character = text[at] ?? ''
    if (character === '(' && isPartOfName(text, start, at)) at = text.indexOf(')', at)
    else if (at > start && '()[]{}<>"'.includes(character)) break
    if (character === ':' && text.startsWith('//', at + 1)) return null
    if (character !== '.' || isBoundary(text, at + 1)) continue
    const extension = /^\.\w{1,8}/.exec(text.slice(at, at + 9))?.[0]
    if (extension === undefined || !isBoundary(text, at + extension.length)) continue
    const end = at + extension.length
    const name = text.slice(start, end)
    if (!name.includes(' ') || /^(?:\.{1,2}\/|\/|[A-Za-z]:[\\/])/.test(name)) {
      if (texExtensions.test(name)) return end
      if (/^(?:\.{1,2}[\\/]|\/|[A-Za-z]:[\\/])/.test(name)) return end
    }
  }
  return null
}

/** `./ch(1).tex`: the name continues directly after its own closing parenthesis. */
function isPartOfName(text: string, start: number, at: number): boolean {
  if (!text.startsWith('./', start) && !text.startsWith('/', start)) return false
  const group = /^\([^()]{0,80}\)(.)/.exec(text.slice(at, at + 84))
  return group !== null && /[\w.-]/.test(group[1] ?? '')
}

/** Part of a TeX installation rather than of a paper. */
function isOfSystem(name: string): boolean {
  return (
    /(?:^|\/)(?:texmf[^/]*|texlive[^/]*|miktex[^/]*|tectonic)\//i.test(name) ||
    (/^(?:\/|[A-Za-z]:\/|\.\.\/)/.test(name) &&
      /\/tex\/(?:latex|generic|plain|xelatex|lualatex|luatex|context)\//.test(name))
  )
}

function isGenerated(name: string): boolean {
  return /\.(?:aux|toc|lof|lot|lol|out|nav|snm|vrb|ind|gls|acr|glo|fls|bcf|w18|mtc\d*|maf|ptc\d*|nls|auxlock|upa|upb)$/.test(
    name,
  )
}
