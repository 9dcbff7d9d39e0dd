import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Validator } from '@seriousme/openapi-schema-validator'

import { openApiDocument } from './openapi.ts'

test('the OpenAPI document is valid OpenAPI 3.1', async () => {
  const document = JSON.parse(JSON.stringify(openApiDocument('https://papers.example.org')))
  const { valid, errors } = await new Validator().validate(document)
  assert.deepEqual({ valid, errors }, { valid: true, errors: undefined })
})
