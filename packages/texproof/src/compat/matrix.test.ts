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

for (const row of matrix) {
  test(`the sample response of ${row.endpoint} matches the schema of its row`, () => {
    const sample = row.sample(presentSamples('http://localhost:3000'))
    const one = { $ref: `api#/components/schemas/${row.answer}` }
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ $id: 'api', components: { schemas } })
    const validate = ajv.compile(row.isList ? { type: 'array', minItems: 1, items: one } : one)
    validate(JSON.parse(JSON.stringify(sample)))
    assert.deepEqual(validate.errors ?? [], [])
  })
}

test('a row has a body exactly if its route reads one', () => {
  const reading = routes.filter((route) => route.auth === 'required' && route.body !== undefined)
  assert.deepEqual(
    matrix.filter(({ body }) => body !== undefined).map(({ endpoint }) => endpoint),
    reading.map(({ method, path }) => `${method} ${path}`),
  )
})

test('the test of every client exists', () => {
  const missing = clients.filter(({ test: file }) => {
    return file !== null && !existsSync(join(import.meta.dirname, '../../test/api/clients', file))
  })
  assert.deepEqual(missing, [])
})

test('endpoints that clients call or cannot decode are in the matrix', () => {
  const named = [...touredEndpoints, ...clients.flatMap(({ unreadable }) => unreadable)]
  assert.deepEqual(
    named.filter((endpoint) => !endpoints.includes(endpoint)),
    [],
  )
})

test('getMatrixRow() names the route without a row', () => {
  assert.throws(() => getMatrixRow('GET /nowhere'), {
    message: 'GET /nowhere has no row in compat/matrix.ts',
  })
})
