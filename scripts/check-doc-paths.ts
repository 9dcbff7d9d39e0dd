import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

// Checks that paths in the documents exist: targets of relative links, and code spans that start with a folder of the
// repository.

process.chdir(new URL('..', import.meta.url).pathname)
const documents = globSync(['*.md', 'docs/**/*.md', 'packages/*/*.md'], { exclude: ['**/node_modules/**'] })
const missing = documents.flatMap((document) =>
  namedPaths(document, readFileSync(document, 'utf8'))
    .filter((path) => globSync(path).length === 0 && !existsSync(path))
    .map((path) => `${document}: ${path} does not exist`),
)
for (const line of missing) console.error(line)
if (missing.length > 0) process.exitCode = 1

function namedPaths(document: string, text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '')
  const spans = [...prose.matchAll(/`((?:packages|scripts|docs|bench|\.ci)\/[\w.*/-]+)`/g)].map(
    (match) => match[1] ?? '',
  )
  const links = [...prose.matchAll(/\]\((?![a-z]+:|#|\/)([^)#\s]+)/g)].map((match) =>
    normalize(join(dirname(document), match[1] ?? '')),
  )
  return [...spans, ...links]
}
