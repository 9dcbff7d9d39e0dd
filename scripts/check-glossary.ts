import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

// docs/glossary.md has one term per concept. The words it replaces may not be used in names or text, except in the names
// that stay.

process.chdir(new URL('..', import.meta.url).pathname)
const checked = /\.(?:ts|mjs|cjs|js|css|md|html)$|^scripts\/[^.]+$/
const unchecked = /^(?:CHANGELOG\.md|docs\/glossary\.md)$|\/(?:corpus\/documents|corpus\/expected)\//

interface Replaced {
  readonly word: string
  readonly term: string
  readonly folder: string
  readonly pattern: RegExp
}

interface Kept {
  readonly name: string
  readonly folder: string
}

const glossary = readFileSync('docs/glossary.md', 'utf8')
const replaced = readReplaced(glossary)
const kept = readKept(glossary)
for (const path of listFiles()) if (checked.test(path) && !unchecked.test(path)) reportUses(path)

/** Parses the rows of the tables: term, meaning, and the replaced words, each optionally `in` a folder. */
function readReplaced(text: string): Replaced[] {
  const rows = [...text.matchAll(/^\| (?!Term )([^|`]+) \|[^|]*\|([^|]*)\|$/gm)]
  return rows.flatMap(([, term = '', words = '']) =>
    [...words.matchAll(/`([^`]+)`(?: in `([^`]+)`)?/g)].map(([, word = '', folder = '']) => {
      return { word, term, folder, pattern: new RegExp(`\\b${word.replace('*', '\\w*')}\\b`) }
    }),
  )
}

/** Parses the rows of the last table, which begin with a name and the folder in which it is allowed. */
function readKept(text: string): Kept[] {
  const rows = [...text.matchAll(/^\| `([^`]+)` \| `([^`]+)` \|/gm)]
  return rows.map(([, name = '', folder = '']) => ({ name, folder }))
}

function reportUses(path: string): void {
  const isHere = ({ folder }: { readonly folder: string }): boolean => path.startsWith(folder)
  const words = replaced.filter(isHere)
  const names = kept.filter(isHere)
  const lines = [path, ...readFileSync(path, 'utf8').split('\n')]
  for (const [number, line] of lines.entries()) {
    const text = splitNames(names.reduce((rest, { name }) => rest.replaceAll(name, ''), line))
    for (const { word, term, pattern } of words)
      if (pattern.test(text)) {
        console.error(`${number === 0 ? path : `${path}:${number}`}: "${word}": use "${term}"`)
        process.exitCode = 1
      }
  }
}

/** `oneWord`, `one-word` and `ONE_WORD` all become "one word". */
function splitNames(line: string): string {
  return line
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_]/g, ' ')
    .toLowerCase()
}

function listFiles(): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate']
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n')
  } catch {
    // An unpacked archive, which nobody commits to.
    return []
  }
}
