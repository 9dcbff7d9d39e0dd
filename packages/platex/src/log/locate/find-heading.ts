import { squeeze } from '../squeeze.ts'
import type { Fault, Place } from './places.ts'

/** Lists that LaTeX writes from headings and captions. */
const LIST_FILE = /\.(?:toc|lof|lot|loa|lol|out|thm)$/
const HEADING =
  /\\(?:part|chapter|(?:sub)*section|(?:sub)?paragraph|caption|captionof|addcontentsline|frametitle|title)\b/
/** The end of what TeX had read, without a brace, which may be the first of an argument of `\contentsline`. */
const TAIL_LENGTHS: readonly number[] = [40, 25, 15, 8]

/** The heading or caption behind a line of the table of contents: the error is in its text. */
export function findHeading({ error, position, sources, reported }: Fault): Place | null {
  if (!LIST_FILE.test(error.stated?.file ?? position.loaded?.name ?? '')) return null
  const [, entry = ''] = /\\contentsline ?\{\w+\}\{(?:\\numberline ?\{[^{}]*\})?(.*)$/.exec(error.lineBefore) ?? []
  // TeX doubles each "#" that it writes.
  const text = squeeze(
    entry
      .replace(/#+/g, '#')
      .replace(/\}\{[^{}]*\}(?:\{.*)?$/, '')
      .replace(/\\(?:protect|ignorespaces)\b ?/g, '')
      .replace(/^\{|\}$/g, ''),
  )
  const candidates = [text, ...TAIL_LENGTHS.map((length) => text.slice(-length))].filter(({ length }) => length >= 4)
  const files = [reported.file, ...sources.files]
  for (const candidate of candidates) {
    for (const file of files) {
      const index = sources.code(file).findIndex((line) => HEADING.test(line) && squeeze(line).includes(candidate))
      if (index >= 0) return { file, line: index + 1 }
    }
  }
  return null
}
