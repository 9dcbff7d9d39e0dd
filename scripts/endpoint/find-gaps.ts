/**
 * What an endpoint lacks. A route, its handler, its behaviour test and its row of the matrix are four files that know
 * nothing of each other; here they are held together, and the documents made from them to what they say.
 */
import { readFile } from 'node:fs/promises'

import { routes } from '../../packages/texproof/src/api/routes.ts'
import type { Route } from '../../packages/texproof/src/api/routes.ts'
import { matrix } from '../../packages/texproof/src/compat/matrix.ts'
import { handlerFile, handlersFolder, matrixFile } from './source-files.ts'

/** One sentence a gap, with what to do; the current folder is the root of the checkout. */
export async function findGaps(): Promise<readonly string[]> {
  const endpoints = routes.map(({ method, path }) => `${method} ${path}`)
  const rows = matrix.map(({ endpoint }) => endpoint)
  const missing = endpoints
    .filter((endpoint) => !rows.includes(endpoint))
    .map((endpoint) => `route ${endpoint} has no matrix row - run \`npm run docs\``)
  const surplus = rows
    .filter((endpoint, index) => !endpoints.includes(endpoint) || rows.indexOf(endpoint) !== index)
    .map((endpoint) => `matrix row ${endpoint} has no route of its own - take it out of ${matrixFile}`)
  const untested = await Promise.all(routes.map(findMissingFile))
  // Without its row a route cannot be documented, and the row comes first.
  const stale = missing.length > 0 ? [] : await findStaleDocuments()
  return [...missing, ...surplus, ...untested.flat(), ...stale]
}

async function findMissingFile({ method, path, handler }: Route): Promise<readonly string[]> {
  const route = `route ${method} ${path}`
  const file = `${handlersFolder}/${handlerFile(handler.name)}`
  const source = await readOrNull(`${file}.ts`)
  if (source?.includes(`function ${handler.name}(`) !== true)
    return [`${route} has no handler of its own - write ${handler.name} in ${file}.ts`]
  const title = `test('${method} ${path.replace('{+', '{')} …`
  const tests = await readOrNull(`${file}.test.ts`)
  if (tests?.includes(title.slice(0, -1)) === true) return []
  return [`${route} has no behaviour test - write ${file}.test.ts with a title that begins ${title}`]
}

async function findStaleDocuments(): Promise<readonly string[]> {
  // Only when every route has its row can they be made.
  const { makeDocuments } = await import('./make-documents.ts')
  const stale: string[] = []
  for (const [path, text] of await makeDocuments())
    if (text !== (await readOrNull(path))) stale.push(`${path} is not what the code says - run \`npm run docs\``)
  return stale
}

function readOrNull(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null)
}
