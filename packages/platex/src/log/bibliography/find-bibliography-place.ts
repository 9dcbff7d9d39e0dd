/** The place of a bibliography error: an entry of a `.bib` file, a citation, or the command that names the file. */

import { listDocuments } from '../locate/places.ts'
import { doesLoad, listSourceLoads, type SourceLoad } from '../source-loads.ts'
import { createSourceTexts, type SourceTexts } from '../source-texts.ts'
import { findUnclosedEntry } from './find-unclosed-entry.ts'

export interface BibliographyPlace {
  readonly file: string | null
  readonly line: number | null
}

export interface BibliographyPlaces {
  /** The user's file behind a name in the log; null for files of TeX and files that TeX wrote. */
  readonly userFile: (name: string) => string | null
  /** First line of the entry `key`, or of its `nth` repetition, 1-based. */
  readonly entry: (key: string, nth?: number) => BibliographyPlace
  /** First command that cites `key`. */
  readonly citation: (key: string) => BibliographyPlace
  /** Whether a `\bibitem` of the sources defines `key`. */
  readonly hasItem: (key: string) => boolean
  /** The command that asks for the database or style file `name`. */
  readonly request: (name: string) => BibliographyPlace
  /** The command that includes the chapter `name`, without its extension. */
  readonly chapter: (name: string) => BibliographyPlace
  /** The first use of a command that loads files: `bibliography`. */
  readonly command: (name: string) => BibliographyPlace
  /** The place to edit for an error that a tool reports at `line` of `file`. */
  readonly reported: (message: string, file: string, line: number) => BibliographyPlace
}

const nowhere: BibliographyPlace = { file: null, line: null }
/** Name and options of a command that cites. */
const MAX_BEFORE_KEYS = 300
const MAX_KEYS_LENGTH = 600

/** Looks places up in the user's files; without sources, names of `.bib` files are taken as they are. */
export function createBibliographyPlaces(sources: ReadonlyMap<string, string>): BibliographyPlaces {
  const texts = createSourceTexts(sources)
  const databases = texts.files.filter((file) => file.endsWith('.bib'))
  const documents = listDocuments(texts)
  // Listed once: a tool can have a warning for each entry of a large database.
  let entries: ReadonlyMap<string, readonly BibliographyPlace[]> | null = null
  let citations: ReadonlyMap<string, BibliographyPlace> | null = null
  let items: ReadonlySet<string> | null = null

  function userFile(name: string): string | null {
    const plain = name.replace(/^(?:\.\/)+/, '')
    if (texts.has(plain)) return plain
    if (texts.files.length === 0) return plain.endsWith('.bib') && !plain.startsWith('/') ? plain : null
    return texts.files.find((file) => plain.endsWith(`/${file}`) || file.endsWith(`/${plain}`)) ?? null
  }

  function entry(key: string, nth = 1): BibliographyPlace {
    entries ??= listEntries(texts, databases)
    const found = entries.get(key.toLowerCase()) ?? []
    return found[nth - 1] ?? found[0] ?? nowhere
  }

  function citation(key: string): BibliographyPlace {
    citations ??= listCitations(texts, documents)
    return citations.get(key) ?? nowhere
  }

  function hasItem(key: string): boolean {
    items ??= listItems(texts, documents)
    return items.has(key)
  }

  const request = (name: string): BibliographyPlace =>
    findLoad((load) => /bib/.test(load.command) && (doesLoad(load, name) || doesLoad(withoutSpaces(load), name)))

  const chapter = (name: string): BibliographyPlace =>
    findLoad((load) => load.command === 'include' && doesLoad(load, name))

  const command = (name: string): BibliographyPlace => findLoad((load) => load.command === name)

  function findLoad(isWanted: (load: SourceLoad) => boolean): BibliographyPlace {
    for (const file of documents) {
      const load = listSourceLoads(texts, file).find(isWanted)
      if (load !== undefined) return { file, line: load.nameLine }
    }
    return nowhere
  }

  function reported(message: string, file: string, line: number): BibliographyPlace {
    return { file, line: findUnclosedEntry(message, texts.lines(file), line) ?? line }
  }

  return { userFile, entry, citation, hasItem, request, chapter, command, reported }
}

/** The command as BibTeX gets it: LaTeX removes spaces. */
function withoutSpaces(load: SourceLoad): SourceLoad {
  return { ...load, names: load.names.map((name) => name.replaceAll(' ', '')) }
}

/** First lines of all entries by lower-case key. */
function listEntries(
  texts: SourceTexts,
  databases: readonly string[],
): ReadonlyMap<string, readonly BibliographyPlace[]> {
  const entries = new Map<string, BibliographyPlace[]>()
  for (const file of databases) {
    for (const [index, line] of texts.lines(file).entries()) {
      const key = /@\s*[A-Za-z]+\s*[{(]\s*([^\s,]+)/.exec(line)?.[1]?.toLowerCase()
      if (key === undefined) continue
      const places = entries.get(key) ?? []
      places.push({ file, line: index + 1 })
      entries.set(key, places)
    }
  }
  return entries
}

/** The first command that cites each key. */
function listCitations(texts: SourceTexts, documents: readonly string[]): ReadonlyMap<string, BibliographyPlace> {
  const citations = new Map<string, BibliographyPlace>()
  for (const file of documents) {
    for (const [index, line] of texts.code(file).entries()) {
      for (const key of listCitedKeys(line)) if (!citations.has(key)) citations.set(key, { file, line: index + 1 })
    }
  }
  return citations
}

/** The keys of bibliographies that are written by hand; BibTeX writes a `.bbl`, which may be outdated. */
function listItems(texts: SourceTexts, documents: readonly string[]): ReadonlySet<string> {
  const code = documents.filter((file) => !file.endsWith('.bbl')).flatMap((file) => texts.code(file))
  return new Set(
    code.flatMap((line) =>
      [...line.matchAll(/\\bibitem\s{0,9}(?:\[[^\]]{0,300}\]\s{0,9})?\{([^{}]{1,200})\}/g)].map(([, key = '']) =>
        key.trim(),
      ),
    ),
  )
}

/** The keys in each group after a name with `cite`: `\textcite[see][p. 2]{one,two}`. */
function listCitedKeys(line: string): readonly string[] {
  if (!/cite/i.test(line)) return []
  const parts = line.split('{')
  return parts.slice(1).flatMap((part, at) => {
    const before = (parts[at] ?? '').slice(-MAX_BEFORE_KEYS)
    if (!/cite/i.test(before.slice(before.lastIndexOf('}') + 1))) return []
    const [keys = ''] = part.slice(0, MAX_KEYS_LENGTH).split('}')
    // BibTeX reports a key with a space by its first word.
    return keys.split(',').flatMap((key) => [key.trim(), key.trim().split(/\s/, 1)[0] ?? ''])
  })
}
