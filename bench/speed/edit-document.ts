import type { CorpusDocument } from '../../packages/platex/test/support/read-corpus.ts'

/** Position of the edit, as a share of the longest source. */
export const POSITIONS = { body: 0.5, end: 0.95 } as const

export type Position = keyof typeof POSITIONS

/** The longest source of a document, and its text with one word changed; each `number` gives a different text. */
export function editDocument(
  { files }: CorpusDocument,
  { position, number }: { readonly position: Position; readonly number: number },
): { readonly path: string; readonly text: string } {
  const sources = [...files].filter(([path]) => path.endsWith('.tex'))
  const [path, bytes] = sources.toSorted(([, one], [, other]) => other.length - one.length)[0] ?? ['', new Uint8Array()]
  const text = new TextDecoder().decode(bytes)
  const start = Math.max(0, text.indexOf('\\begin{document}'))
  const wanted = start + (text.length - start) * POSITIONS[position]
  // A word of running text: an argument may be a heading or a name.
  const words = [...text.slice(start).matchAll(/(?<=[ >}\n])[A-Z]?[a-z]{2,}(?=[ .,\\])/g)]
  const ends = words.map((match) => start + match.index + match[0].length)
  const at = ends.toSorted((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted))[0] ?? text.length
  const letter = String.fromCharCode('a'.charCodeAt(0) + (number % 26))
  return { path, text: text.slice(0, at) + letter + text.slice(at) }
}

/** The files of a document with one word changed. */
export function editedFiles(
  document: CorpusDocument,
  edit: { readonly position: Position; readonly number: number },
): ReadonlyMap<string, Uint8Array> {
  const { path, text } = editDocument(document, edit)
  return new Map([...document.files, [path, new TextEncoder().encode(text)]])
}
