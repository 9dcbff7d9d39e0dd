/**
 * Finds missing parts of endpoints. Route, handler, behavior test and matrix row are in four files without references
 * to each other, so this check compares them, and the generated documents with the committed ones.
 */
import { readFile } from 'node:fs/promises'

import type { Route } from '../../packages/texproof/src/api/routes.ts'
import type { MatrixRow } from '../../packages/texproof/src/compat/matrix.ts'
import { makeDocuments } from './make-documents.ts'

const handlersFolder = 'packages/texproof/src/api/handlers'
const matrixFile = 'packages/texproof/src/compat/matrix.ts'

/** The tables that describe endpoints. */
export interface EndpointTables {
  readonly routes: readonly Pick<Route, 'method' | 'path' | 'handler'>[]
  readonly matrix: readonly Pick<MatrixRow, 'endpoint'>[]
}

/** One sentence per gap, with what to do; paths are relative to the current folder, the root of the checkout. */
export async function findGaps({ routes, matrix }: EndpointTables): Promise<readonly string[]> {
  const endpoints = routes.map(({ method, path }) => `${method} ${path}`)
  const rows = matrix.map(({ endpoint }) => endpoint)
  const missing = endpoints
    .filter((endpoint) => !rows.includes(endpoint))
    .map((endpoint) => `route ${endpoint} has no matrix row - add one to ${matrixFile}`)
  const surplus = rows
    .filter((endpoint, index) => !endpoints.includes(endpoint) || rows.indexOf(endpoint) !== index)
    .map((endpoint) => `matrix row ${endpoint} has no route of its own - remove it from ${matrixFile}`)
  const untested = await Promise.all(routes.map(findMissingFile))
  return [...missing, ...surplus, ...untested.flat()]
}

async function findMissingFile({
  method,
  path,
  handler,
}: EndpointTables['routes'][number]): Promise<readonly string[]> {
  const route = `route ${method} ${path}`
  const file = `${handlersFolder}/${handler.name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  const source = await readOrNull(`${file}.ts`)
  if (source?.includes(`function ${handler.name}(`) !== true)
    return [`${route} has no handler of its own - write ${handler.name} in ${file}.ts`]
  const title = `test('${method} ${path.replace('{+', '{')} …`
  const tests = await readOrNull(`${file}.test.ts`)
  if (tests?.includes(title.slice(0, -1)) === true) return []
  return [`${route} has no behavior test - write ${file}.test.ts with a title that begins ${title}`]
}

/** One sentence for each outdated document. */
export async function findStaleDocuments(
  documents: Promise<ReadonlyMap<string, string>> = makeDocuments(),
): Promise<readonly string[]> {
  const stale: string[] = []
  for (const [path, text] of await documents)
    if (text !== (await readOrNull(path))) stale.push(`${path} is not what the code says - run \`npm run docs\``)
  return stale
}

function readOrNull(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null) // A missing file counts as outdated.
}
