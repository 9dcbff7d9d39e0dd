/** The worker that checks spelling: dictionaries are loaded when a text needs them, and every word is looked up once. */
import type * as HunspellLibrary from 'hunspell-wasm'
import type { Hunspell } from 'hunspell-wasm'

import { findDocumentLanguage, findProse } from './prose.browser.ts'

/** Requests of the editor; the answers have the same number. */
export type SpellingRequest =
  | {
      readonly kind: 'check'
      readonly id: number
      readonly source: string
      /** The commands of the root file that choose languages. The commands of the source come first. */
      readonly preamble: string
      /** Words of the user and of the project. */
      readonly known: readonly string[]
    }
  | { readonly kind: 'suggest'; readonly id: number; readonly word: string; readonly language: string }

/** A word that no dictionary has. */
export interface Misspelling {
  readonly from: number
  readonly to: number
  readonly word: string
  readonly language: string
}

interface Scope {
  addEventListener(type: 'message', listener: (event: MessageEvent<SpellingRequest>) => void): void
  postMessage(answer: unknown, transfer: readonly []): void
}

const MAX_MISSPELLINGS = 5_000
const MAX_SUGGESTIONS = 6
/** The default of LaTeX. */
const DEFAULT_LANGUAGE = 'en'
const scope = globalThis as unknown as Scope
const dictionaries = new Map<string, Promise<Hunspell | null>>()
const results = new Map<string, boolean>()

scope.addEventListener('message', ({ data }) => {
  const answer = data.kind === 'check' ? check(data) : suggest(data)
  void answer.then((result) => scope.postMessage({ id: data.id, result }, []))
})

async function check({
  source,
  preamble,
  known,
}: SpellingRequest & { kind: 'check' }): Promise<readonly Misspelling[]> {
  const accepted = new Set(known)
  const language = findDocumentLanguage(source) || findDocumentLanguage(preamble) || DEFAULT_LANGUAGE
  const found: Misspelling[] = []
  for (const word of findProse(source, language)) {
    if (accepted.has(word.word) || accepted.has(word.word.toLowerCase())) continue
    if (await isKnown(word.word, word.language)) continue
    found.push(word)
    if (found.length === MAX_MISSPELLINGS) break
  }
  return found
}

async function suggest({ word, language }: SpellingRequest & { kind: 'suggest' }): Promise<readonly string[]> {
  const dictionary = await openDictionary(language)
  return dictionary?.getSpellingSuggestions(word).slice(0, MAX_SUGGESTIONS) ?? []
}

async function isKnown(word: string, language: string): Promise<boolean> {
  const key = `${language} ${word}`
  const result = results.get(key)
  if (result !== undefined) return result
  const dictionary = await openDictionary(language)
  const isCorrect = dictionary === null || dictionary.testSpelling(word)
  results.set(key, isCorrect)
  return isCorrect
}

/** Null if it cannot be loaded: nothing is wrong then. */
function openDictionary(language: string): Promise<Hunspell | null> {
  // Without a network: the next visit of the page tries again.
  const open = dictionaries.get(language) ?? loadDictionary(language).catch(() => null)
  dictionaries.set(language, open)
  return open
}

async function loadDictionary(language: string): Promise<Hunspell> {
  const folder = new URL('.', import.meta.url)
  const library = (await import(new URL('dist/Hunspell.js', folder).href)) as typeof HunspellLibrary
  const read = async (ending: string): Promise<string> => {
    const answer = await fetch(new URL(`dictionaries/${language}.${ending}`, folder))
    if (!answer.ok) throw new Error(`${language}.${ending}: ${answer.status}`)
    return answer.text()
  }
  const [affixes, words] = await Promise.all([read('aff'), read('dic')])
  return library.createHunspellFromStrings(affixes, words)
}
