import { listDocuments, type Fault, type Place } from '../places.ts'
import { squeeze } from '../../squeeze.ts'

const GENERATED = /\.(?:ind|nls|gls|acr|glg|lox)$/
const COMMAND =
  /\\(?:index|sindex|nomenclature|newglossaryentry|longnewglossaryentry|newacronym|newabbreviation|glsxtrnewsymbol|newterm)\b/

/** The command that wrote the entry of an index, glossary or nomenclature in which TeX finds a mistake. */
export function findInIndex({ error, position, sources }: Fault): Place | null {
  const name = position.loaded?.name ?? position.top?.name ?? ''
  if (!GENERATED.test(name)) return null
  const symbol = error.message === 'Missing $ inserted.' ? /(?<!\\)[_^]/ : null
  const read = squeeze(error.lineBefore.replace(/^\s*\\(?:sub)*item\s*\[?\{?/, ''))
  for (const file of listDocuments(sources)) {
    const code = sources.code(file)
    const found = code.findIndex((text) => {
      if (!COMMAND.test(text)) return false
      if (read.length >= 4 && squeeze(text).includes(read.slice(-15))) return true
      return symbol !== null && symbol.test(text.replace(/\$[^$]*\$/g, ''))
    })
    if (found !== -1) return { file, line: found + 1 }
  }
  return null
}
