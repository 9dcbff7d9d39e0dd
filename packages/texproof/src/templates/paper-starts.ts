import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { escapeLatex } from '@texproof/platex/escape'

/** Templates of new repositories by folder name, in display order. */
export const paperStarts = {
  article: 'Article',
  thesis: 'Thesis',
  book: 'Book',
  slides: 'Slides',
  poster: 'Poster',
  letter: 'Letter',
  cv: 'CV',
  exam: 'Exam',
  ieee: 'IEEE conference paper',
  acm: 'ACM conference paper',
} as const

export type PaperStart = keyof typeof paperStarts

/** The folder names, in display order. */
export const paperStartNames = Object.keys(paperStarts) as readonly PaperStart[]

/** The name of a template, or null. */
export function parsePaperStart(text: string): PaperStart | null {
  return Object.hasOwn(paperStarts, text) ? (text as PaperStart) : null
}

/** The first page of a template as PNG. */
export function readTemplatePicture(start: PaperStart): Buffer {
  return readFileSync(join(import.meta.dirname, 'pictures', `${start}.png`))
}

/** The files of a template, with title and author filled in as plain text. */
export function fillPaperStart(
  start: PaperStart,
  { title, author }: { readonly title: string; readonly author: string },
): ReadonlyMap<string, string> {
  const folder = join(import.meta.dirname, 'starts', start)
  const [titleTex, authorTex] = [escapeLatex(title), escapeLatex(author)]
  return new Map(
    readdirSync(folder).map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      // Replaced by functions, because a dollar sign in a replacement string has a meaning.
      return [name, text.replaceAll('<<title>>', () => titleTex).replaceAll('<<author>>', () => authorTex)]
    }),
  )
}
