import { titleOf } from './endpoint.ts'
import type { Endpoint } from './endpoint.ts'
import { handlerFile } from './source-files.ts'

/**
 * The text of the route table with one more row: at its end, or, where an earlier row would answer in its place, before
 * that one. `catcher` is the path of that row.
 *
 * @throws Error when the table does not look as it does today.
 */
export function insertRoute(source: string, endpoint: Endpoint, catcher: string | null): string {
  const withRow = insertAt(source, findPlace(source, endpoint, catcher), renderRow(endpoint))
  return insertAt(withRow, findImportPlace(withRow, importOf(endpoint.name)), importOf(endpoint.name))
}

function renderRow({ method, path, name, needsLogin }: Endpoint): string {
  const policy = [
    `    auth: '${needsLogin ? 'required' : 'optional'}',`,
    ...(method === 'POST' ? [`    scope: 'repo:write',`, `    body: 'json-object',`] : []),
  ]
  return `  {
    method: '${method}',
    path: '${path}',
${policy.join('\n')}
    handler: ${name},
    documentation: reference,
  },
`
}

function findPlace(source: string, endpoint: Endpoint, catcher: string | null): number {
  const table = source.indexOf('export const routes:')
  const row =
    catcher === null ? -1 : source.indexOf(`    method: '${endpoint.method}',\n    path: '${catcher}',\n`, table)
  const place = row === -1 ? source.indexOf('\n]\n', table) + 1 : source.lastIndexOf('  {\n', row)
  if (table === -1 || place <= table) throw new Error(`no place for ${titleOf(endpoint)} in the route table`)
  return place
}

function importOf(name: string): string {
  return `import { ${name} } from './handlers/${handlerFile(name)}.ts'\n`
}

/** Among the imports of handlers, in the order of the alphabet. */
function findImportPlace(source: string, line: string): number {
  const lines = [...source.matchAll(/^import \{ \w+ \} from '\.\/handlers\/[\w-]+\.ts'\n/gm)]
  const next = lines.find(([text]) => text.slice(9) > line.slice(9))
  const last = lines.at(-1)
  if (last === undefined) throw new Error('the route table imports no handlers')
  return next?.index ?? last.index + last[0].length
}

function insertAt(text: string, place: number, insertion: string): string {
  return text.slice(0, place) + insertion + text.slice(place)
}
