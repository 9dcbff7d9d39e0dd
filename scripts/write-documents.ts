/** `npm run docs`: writes the documents generated from the route table, the matrix and the settings. */
import { readFile, writeFile } from 'node:fs/promises'

import { makeDocuments } from './endpoint/make-documents.ts'

process.chdir(new URL('..', import.meta.url).pathname)
for (const [path, document] of await makeDocuments()) {
  if (document === (await readFile(path, 'utf8'))) continue
  await writeFile(path, document)
  console.log(`wrote ${path}`)
}
