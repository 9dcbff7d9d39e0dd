/**
 * Renames labels and citation keys: the definition and every use, as whole names. Comments and verbatim text stay. Runs
 * in a worker thread; every pattern is bounded.
 */
import type { SourceText } from '../project-index/scan-source-file.ts'
import { readArguments, scanCommands } from './tex-commands.ts'

/** Kind of a name. */
export type NameKind = 'label' | 'citation'

export interface Renaming {
  readonly kind: NameKind
  readonly from: string
  readonly to: string
}

/** `taken` = something else has the new name. `count` = changed places of a file. */
export type RenamingResult =
  | { readonly kind: 'renamed'; readonly files: readonly (SourceText & { readonly count: number })[] }
  | { readonly kind: 'taken' }

/** A name in a text; `isDefinition` = the place that defines it. */
interface NamePlace {
  readonly name: string
  readonly at: number
  readonly isDefinition: boolean
}

const ENTRY = /^([ \t]{0,99}@[a-zA-Z]{1,40}[ \t]{0,9}[{(]\s{0,9})([^\s,{}()]{1,200})/gm
/** Fields whose values are keys of other entries. */
const KEY_FIELD = /^([ \t]{0,99}(?:crossref|xref|xdata|entryset|related)[ \t]{0,9}=[ \t]{0,9}[{"])([^{}"]{1,1000})/gim

/** Renames a name in all texts. Texts without it are omitted. */
export function renameInFiles({
  files,
  renaming: { kind, from, to },
}: {
  readonly files: readonly SourceText[]
  readonly renaming: Renaming
}): RenamingResult {
  const places = files.map((file) => ({ file, places: findNames(file, kind) }))
  if (places.some((found) => found.places.some(({ name, isDefinition }) => isDefinition && name === to)))
    return { kind: 'taken' }
  return {
    kind: 'renamed',
    files: places.flatMap(({ file: { path, text }, places: all }) => {
      const renamed = all.filter(({ name }) => name === from)
      if (renamed.length === 0) return []
      let end = 0
      const parts = renamed.flatMap(({ at }) => {
        const part = [text.slice(end, at), to]
        end = at + from.length
        return part
      })
      return [{ path, text: parts.join('') + text.slice(end), count: renamed.length }]
    }),
  }
}

function findNames({ path, text }: SourceText, kind: NameKind): readonly NamePlace[] {
  if (!path.toLowerCase().endsWith('.bib')) return findNamesInSource(text, kind)
  if (kind === 'label') return []
  const keys = [...text.matchAll(ENTRY)].map(({ index, 1: before = '', 2: name = '' }): NamePlace => ({
    name,
    at: index + before.length,
    isDefinition: true,
  }))
  const fields = [...text.matchAll(KEY_FIELD)].flatMap(({ index, 1: before = '', 2: names = '' }) =>
    splitNames(names, index + before.length),
  )
  return [...keys, ...fields].toSorted((one, other) => one.at - other.at)
}

function findNamesInSource(text: string, kind: NameKind): readonly NamePlace[] {
  const places: NamePlace[] = []
  for (const token of scanCommands(text)) {
    if (token.kind === 'command') {
      const use = useOf(token.name, kind)
      if (use !== null) places.push(...findArgumentNames(text, token.end, use))
    } else if (kind === 'label') {
      if (token.kind === 'verbatim') places.push(...findOption(token.options, token.at))
      else places.push({ name: token.value, at: token.at, isDefinition: true })
    }
  }
  return places
}

interface Use {
  readonly isDefinition: boolean
  /** Whether further arguments are names too. */
  readonly isRepeated: boolean
  /** Whether the name is in brackets, as in `\hyperref[name]{text}`. */
  readonly isOption: boolean
}

/** Meaning of the arguments of a command; null = no names of this kind. */
function useOf(command: string, kind: NameKind): Use | null {
  const use = { isDefinition: false, isRepeated: false, isOption: false }
  if (kind === 'citation') {
    if (command === 'bibitem') return { ...use, isDefinition: true }
    if (!/cite/i.test(command) || /^cite(?:style|text|setup|index)|^(?:new|renew|declare)/i.test(command)) return null
    return { ...use, isRepeated: /cites$/i.test(command) }
  }
  if (command === 'label' || command === 'zlabel') return { ...use, isDefinition: true }
  if (command === 'hyperref') return { ...use, isOption: true }
  if (/refrange$/i.test(command)) return { ...use, isRepeated: true }
  return /ref$/i.test(command) && !/^(?:new|renew|x)/.test(command) ? use : null
}

/** The names in the arguments that begin at a position. */
function findArgumentNames(text: string, start: number, use: Use): readonly NamePlace[] {
  const places: NamePlace[] = []
  for (const { open, content, at } of readArguments(text, start)) {
    if (open === '(' && !use.isRepeated) return places
    if (open !== (use.isOption ? '[' : '{')) continue
    places.push(...splitNames(content, at).map((name) => ({ ...name, isDefinition: use.isDefinition })))
    if (!use.isRepeated) return places
  }
  return places
}

function splitNames(list: string, start: number): readonly NamePlace[] {
  let at = start
  return list.split(',').map((part) => {
    const place = { name: part.trim(), at: at + (part.length - part.trimStart().length), isDefinition: false }
    at += part.length + 1
    return place
  })
}

function findOption(options: string, start: number): readonly NamePlace[] {
  const found = /[[,\s]label\s{0,9}=\s{0,9}\{?([^{}[\],\\%\s]{1,200})/.exec(options)
  if (found === null) return []
  const [whole, name = ''] = found
  return [{ name, at: start + found.index + whole.length - name.length, isDefinition: true }]
}
