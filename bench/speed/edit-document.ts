import type { CorpusDocument } from '../../packages/platex/test/support/read-corpus.ts'

/** Position of the edit, as a share of the longest source. */
export const POSITIONS = { body: 0.5, end: 0.95 } as const

export type Position = keyof typeof POSITIONS

interface Place {
  readonly path: string
  readonly before: string
  readonly after: string
  /** 1-based. */
  readonly line: number
}

/** Finding the place in a book leaves much garbage, and its collection would fall into what is measured. */
const places = new WeakMap<CorpusDocument, Map<Position, Place>>()

/** The longest source of a document, its text with one word changed, and the line; each `number` gives a different text. */
export function editDocument(
  document: CorpusDocument,
  { position, number }: { readonly position: Position; readonly number: number },
): { readonly path: string; readonly text: string; readonly line: number } {
  const known = places.get(document) ?? new Map<Position, Place>()
  const place = known.get(position) ?? findPlace(document, position)
  places.set(document, known.set(position, place))
  const { path, before, after, line } = place
  const letter = String.fromCharCode('a'.charCodeAt(0) + (number % 26))
  return { path, text: before + letter + after, line }
}

function findPlace({ files }: CorpusDocument, position: Position): Place {
  const sources = [...files].filter(([path]) => path.endsWith('.tex'))
  const [path, bytes] = sources.toSorted(([, one], [, other]) => other.length - one.length)[0] ?? ['', new Uint8Array()]
  const text = new TextDecoder().decode(bytes)
  const start = Math.max(0, text.indexOf('\\begin{document}'))
  const wanted = start + (text.length - start) * POSITIONS[position]
  // A word of running text: an argument may be a heading or a name.
  const words = [...text.slice(start).matchAll(/(?<=[ >}\n])[A-Z]?[a-z]{2,}(?=[ .,\\])/g)]
  const ends = words.map((match) => start + match.index + match[0].length)
  const at = ends.toSorted((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted))[0] ?? text.length
  const before = text.slice(0, at)
  return { path, before, after: text.slice(at), line: before.split('\n').length }
}

/** The files of a document with one word changed. */
export function editedFiles(
  document: CorpusDocument,
  edit: { readonly position: Position; readonly number: number },
): ReadonlyMap<string, Uint8Array> {
  const { path, text } = editDocument(document, edit)
  return new Map([...document.files, [path, new TextEncoder().encode(text)]])
}
