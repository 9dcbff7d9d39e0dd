import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { openApiDocument } from '../api/openapi.ts'
import { renderCompatibility } from './render-compatibility.ts'

// Writes the documents that are made from the route table and the matrix. Run it after a change to either.

const docs = join(import.meta.dirname, '../../../../docs')
await writeFile(join(docs, 'compatibility.md'), renderCompatibility())
await writeFile(join(docs, 'openapi.json'), `${JSON.stringify(openApiDocument('http://localhost:3000'), null, 2)}\n`)
