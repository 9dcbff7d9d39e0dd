import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { openApiDocument } from '../api/openapi.ts'
import { insertSettings } from './insert-settings.ts'
import { renderCompatibility } from './render-compatibility.ts'

// Writes the documents that are made from the route table, the matrix and the settings. Run it after a change to these.

const docs = join(import.meta.dirname, '../../../../docs')
await writeFile(join(docs, 'compatibility.md'), renderCompatibility())
await writeFile(join(docs, 'openapi.json'), `${JSON.stringify(openApiDocument('http://localhost:3000'), null, 2)}\n`)
const running = join(docs, 'running.md')
await writeFile(running, insertSettings(await readFile(running, 'utf8')))
