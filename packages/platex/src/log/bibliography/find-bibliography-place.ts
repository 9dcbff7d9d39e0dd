/** The place of a bibliography error: an entry of a `.bib` file, a citation, or the command that names the file. */

import { listDocuments } from '../locate/places.ts'
import { doesLoad, listSourceLoads } from '../source-loads.ts'
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
  /** The command that asks for the database or style file `name`. */
  readonly request: (name: string) => BibliographyPlace
  /** The first use of a command that loads files: `bibliography`. */
  readonly command: (name: string) => BibliographyPlace
  /** The place to edit for an error that a tool reports at `line` of `file`. */
  readonly reported: (message: string, file: string, line: number) => BibliographyPlace
}

const nowhere: BibliographyPlace = { file: null, line: null }

/** Looks places up in the user's files; without sources, names of `.bib` files are taken as they are. */
export function createBibliographyPlaces(sources: ReadonlyMap<string, string>): BibliographyPlaces {
  const texts = createSourceTexts(sources)
  const databases = texts.files.filter((file) => file.endsWith('.bib'))
  const documents = listDocuments(texts)

  function userFile(name: string): string | null {
    const plain = name.replace(/^(?:\.\/)+/, '')
    if (texts.has(plain)) return plain
    if (texts.files.length === 0) return plain.endsWith('.bib') && !plain.startsWith('/') ? plain : null
    return texts.files.find((file) => plain.endsWith(`/${file}`) || file.endsWith(`/${plain}`)) ?? null
  }

  function entry(key: string, nth = 1): BibliographyPlace {
    const found = databases.flatMap((file) => linesWithEntry(texts, file, key))
    return found[nth - 1] ?? found[0] ?? nowhere
  }

  function citation(key: string): BibliographyPlace {
    for (const file of documents) {
      const index = texts.code(file).findIndex((line) => cites(line, key))
      if (index >= 0) return { file, line: index + 1 }
    }
    return nowhere
  }

  function request(name: string): BibliographyPlace {
    for (const file of documents) {
      const load = listSourceLoads(texts, file).find(
        (candidate) => /bib/.test(candidate.command) && doesLoad(candidate, name),
      )
      if (load !== undefined) return { file, line: load.nameLine }
    }
    return nowhere
  }

  function command(name: string): BibliographyPlace {
    for (const file of documents) {
      const load = listSourceLoads(texts, file).find((candidate) => candidate.command === name)
      if (load !== undefined) return { file, line: load.nameLine }
    }
    return nowhere
  }

  function reported(message: string, file: string, line: number): BibliographyPlace {
    return { file, line: findUnclosedEntry(message, texts.lines(file), line) ?? line }
  }

  return { userFile, entry, citation, request, command, reported }
}

function linesWithEntry(texts: SourceTexts, file: string, key: string): readonly BibliographyPlace[] {
  return texts.lines(file).flatMap((line, index) => {
    const found = /@\s*[A-Za-z]+\s*[{(]\s*([^\s,]+)/.exec(line)?.[1]
    return found?.toLowerCase() === key.toLowerCase() ? [{ file, line: index + 1 }] : []
  })
}

function cites(line: string, key: string): boolean {
  const at = line.indexOf(key)
  return at >= 0 && /cite[A-Za-z]*\*?[^{}]{0,300}\{[^{}]{0,600}$/i.test(line.slice(Math.max(0, at - 900), at))
}
