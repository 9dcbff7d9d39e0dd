import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { Ajv2020 } from 'ajv/dist/2020.js'

import { routes } from '../api/routes.ts'
import { clients, touredEndpoints } from './clients.ts'
import { getMatrixRow, matrix } from './matrix.ts'
import { schemas } from './openapi-schemas.ts'
import { presentSamples } from './samples.ts'

const endpoints = matrix.map(({ endpoint }) => endpoint)

test('no endpoint is left as planned', () => {
  const planned = matrix.filter(({ state }) => state === 'planned').map(({ endpoint }) => endpoint)
  const remedy =
    'write its handler and its test, then say in its row of compat/matrix.ts what it answers and take out `state`'
  assert.deepEqual(planned, [], `planned and not written: ${planned.join(', ')} - ${remedy}`)
})

for (const row of matrix.filter(({ state }) => state !== 'planned')) {
  test(`the sample answer of ${row.endpoint} has the form that its row names`, () => {
    assert.notEqual(row.answer, null, 'name the schema of its answer in `answer`; a new one goes to openapi-schemas.ts')
    const sample = row.sample(presentSamples('http://localhost:3000'))
    const one = { $ref: `api#/components/schemas/${row.answer}` }
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'api', components: { schemas } })
    const validate = ajv.compile(row.isList ? { type: 'array', minItems: 1, items: one } : one)
    validate(JSON.parse(JSON.stringify(sample)))
    assert.deepEqual(validate.errors ?? [], [])
  })
}

test('a row tells of a body where its route reads one, and nowhere else', () => {
  const reading = routes.filter((route) => route.auth === 'required' && route.body !== undefined)
  const isWritten = (endpoint: string): boolean => getMatrixRow(endpoint).state !== 'planned'
  assert.deepEqual(
    matrix.filter(({ body }) => body !== undefined).map(({ endpoint }) => endpoint),
    reading.map(({ method, path }) => `${method} ${path}`).filter(isWritten),
  )
})

test('each client of the matrix that is said to work has its test', () => {
  const missing = clients.filter(({ test: file }) => {
    return file !== null && !existsSync(join(import.meta.dirname, '../../test/clients', file))
  })
  assert.deepEqual(missing, [])
})

test('endpoints that clients tour, and those that one cannot read, are endpoints', () => {
  const named = [...touredEndpoints, ...clients.flatMap(({ unreadable }) => unreadable)]
  assert.deepEqual(
    named.filter((endpoint) => !endpoints.includes(endpoint)),
    [],
  )
})

test('getMatrixRow() says what to do about a route without a row', () => {
  assert.throws(() => getMatrixRow('GET /nowhere'), {
    message: 'GET /nowhere has no row in compat/matrix.ts; run `npm run docs`',
  })
})
