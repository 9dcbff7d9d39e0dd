import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

// docs/glossary.md has one term per concept. The words it replaces may not be used in names or text.
// docs/glossary-debt.json counts the allowed uses; `--lower` lowers the counts to the current number of uses.

process.chdir(new URL('..', import.meta.url).pathname)
const debtFile = 'docs/glossary-debt.json'
const checked = /\.(?:ts|mjs|cjs|js|css|md|html)$|^scripts\/[^.]+$/
const unchecked = /^(?:CHANGELOG\.md|docs\/glossary\.md)$|\/(?:corpus\/documents|corpus\/expected)\//

interface Replaced {
  readonly word: string
  readonly term: string
  readonly folder: string
  readonly pattern: RegExp
}

interface Use {
  readonly word: string
  readonly place: string
}

const replaced = readGlossary(readFileSync('docs/glossary.md', 'utf8'))
const debt: Readonly<Record<string, number>> = JSON.parse(readFileSync(debtFile, 'utf8'))
const listed = git(['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'])
const uses = listed.filter((path) => checked.test(path) && !unchecked.test(path)).flatMap(findUses)
const usesOf = Map.groupBy(uses, ({ word }) => word)

if (process.argv.includes('--lower')) writeDebt()
else reportExcess()

function reportExcess(): void {
  // While a count is not zero, old and new uses cannot be distinguished, but new ones are in files that differ from
  // main.
  const changed = new Set(git(['diff', '--name-only', 'main', '--']))
  for (const { word, term } of replaced) {
    const found = usesOf.get(word) ?? []
    const allowed = debt[word] ?? 0
    if (found.length <= allowed) continue
    const recent = found.filter(({ place }) => changed.has(place.replace(/:\d+$/, '')))
    for (const { place } of recent.length > 0 ? recent : found) console.error(`${place}: "${word}": use "${term}"`)
    console.error(`"${word}" is used ${found.length} times; ${debtFile} allows ${allowed}`)
    process.exitCode = 1
  }
}

function writeDebt(): void {
  const counts = replaced.map(({ word }) => {
    const found = usesOf.get(word)?.length ?? 0
    return [word, Math.min(found, debt[word] ?? found)] as const
  })
  writeFileSync(debtFile, `${JSON.stringify(Object.fromEntries(counts.filter(([, count]) => count > 0)), null, 2)}\n`)
}

/** Parses the rows of the tables: term, meaning, and the replaced words, each optionally `in` a folder. */
function readGlossary(text: string): Replaced[] {
  const rows = [...text.matchAll(/^\| (?!Term )([^|]+) \|[^|]*\|([^|]*)\|$/gm)]
  return rows.flatMap(([, term = '', words = '']) =>
    [...words.matchAll(/`([^`]+)`(?: in `([^`]+)`)?/g)].map(([, word = '', folder = '']) => {
      return { word, term, folder, pattern: new RegExp(`\\b${word.replace('*', '\\w*')}\\b`, 'g') }
    }),
  )
}

function findUses(path: string): Use[] {
  const here = replaced.filter(({ folder }) => path.startsWith(folder))
  const lines = [path, ...readFileSync(path, 'utf8').split('\n')].map(splitNames)
  return lines.flatMap((line, number) =>
    here.flatMap(({ word, pattern }) =>
      (line.match(pattern) ?? []).map(() => ({ word, place: number === 0 ? path : `${path}:${number}` })),
    ),
  )
}

/** `oneWord`, `one-word` and `ONE_WORD` all become "one word". */
function splitNames(line: string): string {
  return line
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_]/g, ' ')
    .toLowerCase()
}

function git(args: readonly string[]): string[] {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n')
  } catch {
    // No branch called main, as on a build server: every use is reported.
    return []
  }
}
