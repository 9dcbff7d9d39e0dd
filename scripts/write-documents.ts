/**
 * `npm run docs`: writes what is made from the route table, the matrix and the settings, and first gives a row of the
 * matrix to each route that has none. Run it after a change to any of them.
 */
import { readFile, writeFile } from 'node:fs/promises'

import { routes } from '../packages/texproof/src/api/routes.ts'
import { insertMatrixRow } from './endpoint/insert-matrix-row.ts'
import { matrixFile } from './endpoint/source-files.ts'

process.chdir(new URL('..', import.meta.url).pathname)
const source = await readFile(matrixFile, 'utf8')
const forgotten = routes.filter(({ method, path }) => !source.includes(`endpoint: '${method} ${path}'`))
let text = source
for (const route of forgotten) {
  const { method, path, handler } = route
  text = insertMatrixRow(text, { endpoint: `${method} ${path}`, isList: handler.name.startsWith('list') })
  console.log(`wrote a row for ${method} ${path}, as planned, into ${matrixFile}`)
}
if (text !== source) await writeFile(matrixFile, text)

// Imported only now: it reads the matrix, which has just been written.
const { makeDocuments } = await import('./endpoint/make-documents.ts')
for (const [path, document] of await makeDocuments()) {
  if (document === (await readFile(path, 'utf8'))) continue
  await writeFile(path, document)
  console.log(`wrote ${path}`)
}
