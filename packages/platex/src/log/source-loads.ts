/** The commands of a document that load other files, each with its line. */

import type { SourceTexts } from './source-texts.ts'

export interface SourceLoad {
  readonly command: string
  /** Names in the argument, as written; empty for commands without one. */
  readonly names: readonly string[]
  /** Line of the command's first character, 1-based. */
  readonly line: number
  /** Line of the argument's first character, 1-based. */
  readonly nameLine: number
}

const load =
  /\\(usepackage|RequirePackage|RequirePackageWithOptions|documentclass|LoadClass|LoadClassWithOptions|input|include|subfile|subfileinclude|InputIfFileExists|includeonly|verbatiminput|VerbatimInput|lstinputlisting|inputminted|includegraphics|includepdf|includesvg|addplot|bibliography|addbibresource|bibliographystyle|usetheme|usecolortheme|usefonttheme|useinnertheme|useoutertheme|moderncvstyle|moderncvcolor|usetikzlibrary|usepgfplotslibrary|tcbuselibrary|setmainfont|setsansfont|setmonofont|fontspec|newfontfamily|setCJKmainfont|setCJKsansfont|setCJKmonofont|setmathfont|babelfont|selectfont|DeclareGraphicsExtensions|import|subimport|includefrom|inputfrom)\*?\s{0,20}(?:\[[^\]]{0,400}\]\s{0,20}|\\[A-Za-z]+\s{0,20}){0,2}(?:\{([^{}]{0,600})\}(?:\s{0,5}(?:\[[^\]]{0,300}\])?\{([^{}]{0,300})\})?|[ ]([^\s\\{}%]{1,200}))/g

const bare =
  /\\(tableofcontents|listoffigures|listoftables|printbibliography|printindex|printglossar(?:y|ies)|printnoidxglossar(?:y|ies)|printacronyms|printnomenclature|begin\{document\}|end\{document\})/g

const cache = new WeakMap<SourceTexts, Map<string, readonly SourceLoad[]>>()

/** Lists what `file` loads, in order. */
export function listSourceLoads(sources: SourceTexts, file: string): readonly SourceLoad[] {
  const byFile = cache.get(sources) ?? new Map<string, readonly SourceLoad[]>()
  cache.set(sources, byFile)
  const found = byFile.get(file) ?? scan(sources.code(file))
  byFile.set(file, found)
  return found
}

function scan(code: readonly string[]): readonly SourceLoad[] {
  const text = code.join('\n')
  const starts: number[] = []
  let offset = 0
  for (const line of code) {
    starts.push(offset)
    offset += line.length + 1
  }
  const lineAt = (index: number) => lineOf(index, starts)
  const withNames = [...text.matchAll(load)].map((match) => {
    const first = match[2] ?? match[4] ?? ''
    const second = match[3] ?? ''
    const names = [first, second, first + second]
      .flatMap((part) => part.split(','))
      .map((name) => name.trim().replaceAll('"', ''))
    const nameIndex = match.index + Math.max(0, match[0].lastIndexOf(first))
    return {
      command: match[1] ?? '',
      names: [...new Set(names.filter((name) => name !== ''))],
      line: lineAt(match.index),
      nameLine: lineAt(nameIndex),
    }
  })
  const without = [...text.matchAll(bare)].map((match) => {
    const line = lineAt(match.index)
    return { command: match[1] ?? '', names: [], line, nameLine: line }
  })
  return [...withNames, ...without].toSorted((a, b) => a.line - b.line)
}

/** Line of a position. Binary search, because a file can have as many commands as lines. */
function lineOf(index: number, starts: readonly number[]): number {
  let [low, high] = [0, starts.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= index) low = middle
    else high = middle
  }
  return low + 1
}

const filePrefixes: Readonly<Record<string, string>> = {
  usetheme: 'beamertheme',
  usecolortheme: 'beamercolortheme',
  usefonttheme: 'beamerfonttheme',
  useinnertheme: 'beamerinnertheme',
  useoutertheme: 'beameroutertheme',
  moderncvstyle: 'moderncvstyle',
  moderncvcolor: 'moderncvcolor',
  usetikzlibrary: 'tikzlibrary',
  usepgfplotslibrary: 'tikzlibrarypgfplots.',
}

const commandsByExtension: Readonly<Record<string, RegExp>> = {
  sty: /^(?:usepackage|RequirePackage|use\w*theme|moderncv\w+)/,
  cls: /^(?:documentclass|LoadClass)/,
  toc: /^tableofcontents/,
  lof: /^listoffigures/,
  lot: /^listoftables/,
  bbl: /^(?:bibliography$|printbibliography)/,
  ind: /^printindex/,
  gls: /^print/,
  acr: /^print/,
  nls: /^printnomenclature/,
  aux: /^begin\{document\}/,
  out: /^begin\{document\}/,
}

/** True if this command loads the file printed as `name`; `.cls` alone is any class. */
export function doesLoad({ command, names }: SourceLoad, name: string): boolean {
  const base = name.slice(name.lastIndexOf('/') + 1)
  const extension = /\.([A-Za-z]+)$/.exec(base)?.[1]?.toLowerCase() ?? ''
  const commands = commandsByExtension[extension]
  if (commands !== undefined && !commands.test(command)) return false
  if (commands !== undefined && names.length === 0) return true
  if (extension === 'bbl' || base === '.cls') return true
  if (commands === undefined && /^(?:usepackage|RequirePackage|documentclass|LoadClass)/.test(command)) return false
  const stem = base.replace(/\.[A-Za-z]+$/, '').replace(/\.code$/, '')
  const filePrefix = filePrefixes[command] ?? ''
  return names.some((written) => {
    const last = written.slice(written.lastIndexOf('/') + 1)
    return [last, filePrefix + last].some((candidate) => candidate === base || candidate === stem)
  })
}
