import type { ProjectEngine } from '@texproof/platex'

/** The settings of a latexmkrc that can be read without running it. */
export interface LatexmkSettings {
  /** `@default_files`, as written: names with or without `.tex`, shell patterns allowed; null if not set. */
  readonly defaultFiles: readonly string[] | null
  /** Engine selected by `$pdf_mode`, or by the program in `$pdflatex` or `$latex`; null if neither determines it. */
  readonly engine: ProjectEngine | null
}

/** `$pdf_mode` 2 and 3 make the PDF by way of DVI, with the program in `$latex`. */
const ENGINE_OF_PDF_MODE: Readonly<Record<string, ProjectEngine>> = {
  1: 'pdflatex',
  2: 'latex',
  3: 'latex',
  4: 'lualatex',
  5: 'xelatex',
}

/**
 * Reads the plain assignments of a latexmkrc and ignores all other code. The file is Perl, and a server must never run
 * Perl code of its users.
 */
export function parseLatexmkrc(source: string): LatexmkSettings {
  const code = source.split('\n').map(cutPerlComment).join('\n')
  return { defaultFiles: readDefaultFiles(code), engine: readEngine(code) }
}

/** Cuts at a `#` outside quotes. `$#` is Perl's last index, not a comment. */
function cutPerlComment(line: string): string {
  let quote: string | null = null
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? ''
    if (char === '\\') at++
    else if (quote !== null) quote = char === quote ? null : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '#' && line[at - 1] !== '$') return line.slice(0, at)
  }
  return line
}

// Bounded repetitions: a malicious file must be parsed in linear time.
function readDefaultFiles(code: string): string[] | null {
  const list = [
    ...code.matchAll(
      /@default_files\s{0,99}=\s{0,99}(?:\(([^()]{0,20000})\)|qw\s{0,9}[(/[{]([^()/[\]{}]{0,20000})[)/\]}])/g,
    ),
  ].at(-1)
  if (list === undefined) return null
  if (list[2] !== undefined) return list[2].split(/\s+/).filter((name) => name !== '')
  return [...(list[1] ?? '').matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, single, double]) => single ?? double ?? '')
}

function readJapaneseEngine(code: string): ProjectEngine | null {
  const program = [
    ...code.matchAll(/\$latex\s{0,99}=\s{0,99}['"]\s{0,99}(?:internal\s{1,99})?(?:\S{0,400}\/)?(u?platex)\b/g),
  ].at(-1)?.[1]
  return program === 'platex' || program === 'uplatex' ? program : null
}

function readEngine(code: string): ProjectEngine | null {
  const mode = [...code.matchAll(/\$pdf_mode\s{0,99}=\s{0,99}['"]?(\d)/g)].at(-1)?.[1]
  const command = [
    ...code.matchAll(
      /\$pdflatex\s{0,99}=\s{0,99}['"]\s{0,99}(?:internal\s{1,99})?(?:\S{0,400}\/)?(pdf|xe|lua)latex\b/g,
    ),
  ].at(-1)?.[1]
  const engine = mode === undefined ? null : (ENGINE_OF_PDF_MODE[mode] ?? null)
  if (engine === 'latex') return readJapaneseEngine(code) ?? engine
  if (command === undefined || (engine !== null && engine !== 'pdflatex')) return engine
  return command === 'pdf' ? 'pdflatex' : command === 'xe' ? 'xelatex' : 'lualatex'
}
