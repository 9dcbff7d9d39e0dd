import { html } from 'hono/html'

import type { Html } from '../ui/html.ts'

/**
 * A readable TeX log: output of loading fonts and packages is folded, output caused by the document stays. Pure, one
 * pass over the lines; every line is in the result once and in order.
 */

/** Lines that belong together. `noise` is folded: only authors of packages need it. */
export interface LogPart {
  readonly kind: 'message' | 'noise'
  readonly lines: readonly string[]
}

const NOISE: readonly RegExp[] = [
  /^\s*$/,
  /^\\[A-Za-z@]+(?::[A-Za-z]*)?=\\(?:count|dimen|skip|muskip|box|toks|read|write|insert|language|openin|openout)\d+/,
  /^(?:File|Package|Document Class|Language|LaTeX): \S+ \d{4}[/-]\d\d[/-]\d\d/,
  /^(?:LaTeX Font|Package \w+|LaTeX|Class \w+) Info:/,
  /^\((?:\w+)\)\s{2,}/,
  /^[\s()[\]{}<>]+$/,
  /^Babel <|^For additional information on|^\*+$/,
  /^ ?\d+ (?:strings|string characters|words of|multiletter|hyphenation|words of font|compressed|PDF|named|i,)/,
  /^Here is how much of TeX's memory/,
  /^</,
]

/** Fewest consecutive lines that are folded. */
const MIN_FOLDED = 3

/** Folds a log; short runs of noise stay in place. */
export function readableLog(log: string): readonly LogPart[] {
  const parts: { kind: LogPart['kind']; lines: string[] }[] = []
  for (const line of log.split('\n')) {
    const kind = isNoise(line.slice(0, 300)) ? 'noise' : 'message'
    const last = parts.at(-1)
    if (last?.kind === kind) last.lines.push(line)
    else parts.push({ kind, lines: [line] })
  }
  return joinShort(parts)
}

function isNoise(line: string): boolean {
  return NOISE.some((pattern) => pattern.test(line)) || isFileNames(line)
}

/** Lines that contain only names of opened and closed files. Split: one pattern for all would backtrack too much. */
function isFileNames(line: string): boolean {
  const names = line.split(/[\s()[\]{}<>]+/).filter((name) => name !== '')
  return names.length > 0 && names.every((name) => /^\/.+\.\w+$/.test(name))
}

function joinShort(parts: readonly LogPart[]): readonly LogPart[] {
  const joined: { kind: LogPart['kind']; lines: string[] }[] = []
  for (const { kind, lines } of parts) {
    const shown = kind === 'noise' && lines.length < MIN_FOLDED ? 'message' : kind
    const last = joined.at(-1)
    if (last?.kind === shown) last.lines.push(...lines)
    else joined.push({ kind: shown, lines: [...lines] })
  }
  return joined
}

/** A TeX log as HTML with noise folded. Runs on a thread. */
export async function renderLog(log: string): Promise<string> {
  return String(await html`${readableLog(log).map(logPart)}`)
}

function logPart({ kind, lines }: LogPart): Html {
  const text = html`<pre tabindex="0">${lines.join('\n')}</pre>`
  if (kind === 'message') return text
  return html`<details class="folded">
    <summary>${lines.length} lines of file loading</summary>
    ${text}
  </details>`
}
