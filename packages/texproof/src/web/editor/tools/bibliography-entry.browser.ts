/** Formats pasted bibliography entries and makes their keys unique. */

const MAX_LENGTH = 200_000

interface Entry {
  readonly type: string
  readonly key: string
  readonly fields: readonly (readonly [name: string, value: string])[]
}

/** The formatted entries and the keys that were changed; null if the text is not BibTeX. */
export function tidyEntries(
  text: string,
  isTaken: (key: string) => boolean,
): { readonly text: string; readonly renamed: readonly (readonly [from: string, to: string])[] } | null {
  const entries = text.length > MAX_LENGTH ? null : readEntries(text)
  if (entries === null) return null
  const renamed: (readonly [string, string])[] = []
  const own = new Set<string>()
  const tidied = entries.map(({ type, key, fields }) => {
    const free = freeKey(key, (name) => own.has(name) || isTaken(name))
    own.add(free)
    if (free !== key) renamed.push([key, free])
    const lines = fields.map(([name, value]) => `  ${name} = ${value},\n`)
    return `@${type}{${free},\n${lines.join('')}}\n`
  })
  return { text: tidied.join('\n'), renamed }
}

function freeKey(key: string, isTaken: (key: string) => boolean): string {
  if (!isTaken(key)) return key
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const letter = [...letters].find((suffix) => !isTaken(key + suffix))
  return letter === undefined ? `${key}-${Date.now()}` : key + letter
}

function readEntries(text: string): readonly Entry[] | null {
  const entries: Entry[] = []
  let at = skipBlanks(text, 0)
  while (at < text.length) {
    const head = /^@([a-zA-Z]+)\s*\{\s*([^\s,{}]+)\s*,/.exec(text.slice(at, at + 400))
    if (head === null) return null
    const fields = readFields(text, at + head[0].length)
    if (fields === null) return null
    entries.push({ type: (head[1] ?? '').toLowerCase(), key: head[2] ?? '', fields: fields.list })
    at = skipBlanks(text, fields.end)
  }
  return entries.length === 0 ? null : entries
}

function readFields(text: string, from: number): { readonly list: Entry['fields']; readonly end: number } | null {
  const list: (readonly [string, string])[] = []
  let at = skipBlanks(text, from)
  while (at < text.length && text[at] !== '}') {
    const name = /^([a-zA-Z][\w-]*)\s*=\s*/.exec(text.slice(at, at + 200))
    if (name === null) return null
    const begin = at + name[0].length
    const end = endOfValue(text, begin)
    if (end === null) return null
    list.push([(name[1] ?? '').toLowerCase(), text.slice(begin, end).replaceAll(/\s+/g, ' ').trim()])
    at = skipBlanks(text, end)
    if (text[at] === ',') at = skipBlanks(text, at + 1)
  }
  return at < text.length ? { list, end: at + 1 } : null
}

/** The end of a value: at a comma or a brace outside groups and quotes. */
function endOfValue(text: string, from: number): number | null {
  let depth = 0
  let isQuoted = false
  for (let at = from; at < text.length; at += 1) {
    const character = text[at]
    if (character === '\\') at += 1
    else if (character === '"' && depth === 0) isQuoted = !isQuoted
    else if (character === '{') depth += 1
    else if (character === '}' && depth > 0) depth -= 1
    else if (depth === 0 && !isQuoted && (character === ',' || character === '}')) return at
  }
  return null
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (/\s/.test(text[at] ?? '')) at += 1
  return at
}
