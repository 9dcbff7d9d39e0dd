import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'

import { endpointDescriptions, openApiDocument } from '../api/openapi.ts'
import { routes } from '../api/routes.ts'
import { clients } from './clients.ts'
import { matrix } from './matrix.ts'
import { sampleAnswers } from './sample-answers.ts'
import { insertSettings } from './insert-settings.ts'
import { renderCompatibility } from './render-compatibility.ts'

const handlers = join(import.meta.dirname, '../api/handlers')
const docs = join(import.meta.dirname, '../../../../docs')
const endpoints = routes.map(({ method, path }) => `${method} ${path}`)

test('each row of the route table has its handler file, its behaviour test, its matrix row and its description', async () => {
  const files = routes.map((route) => route.handler.name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
  const expected = files.flatMap((file) => [`${file}.ts`, `${file}.test.ts`]).toSorted()
  assert.deepEqual(readdirSync(handlers).toSorted(), expected)

  const tests = await Promise.all(files.map((file) => readFile(join(handlers, `${file}.test.ts`), 'utf8')))
  const titles = endpoints.map((endpoint) => `test('${endpoint.replace('{+', '{')} `)
  assert.deepEqual(
    titles.filter((title, index) => tests[index]?.includes(title) !== true),
    [],
  )

  assert.deepEqual(
    matrix.map((row) => row.endpoint),
    endpoints,
  )
  assert.deepEqual(Object.keys(endpointDescriptions), endpoints)
})

test('each client of the matrix that is said to work has its test', () => {
  const missing = clients.filter(({ test: file }) => {
    return file !== null && !existsSync(join(import.meta.dirname, '../../test/clients', file))
  })
  assert.deepEqual(missing, [])
})

test('endpoints that a client is said not to read are endpoints', () => {
  const named = clients.flatMap(({ unreadable }) => unreadable)
  assert.deepEqual(
    named.filter((endpoint) => !endpoints.includes(endpoint)),
    [],
  )
})

test('every endpoint has a sample answer', () => {
  assert.deepEqual(Object.keys(sampleAnswers('http://localhost:3000')), endpoints)
})

test('docs/running.md has every setting as the code has it', async () => {
  const text = await readFile(join(docs, 'running.md'), 'utf8')
  assert.equal(text, insertSettings(text))
  assert.match(text, /\| `build\.timeout` \| `60s` \|/)
})

test('docs/compatibility.md and docs/openapi.json are what the code says', async () => {
  assert.equal(await readFile(join(docs, 'compatibility.md'), 'utf8'), renderCompatibility())
  const document: unknown = JSON.parse(await readFile(join(docs, 'openapi.json'), 'utf8'))
  assert.deepEqual(document, JSON.parse(JSON.stringify(openApiDocument('http://localhost:3000'))))
})
