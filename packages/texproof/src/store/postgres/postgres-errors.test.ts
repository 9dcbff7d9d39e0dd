import assert from 'node:assert/strict'
import { test } from 'node:test'

import { StoreUnavailable } from '../sqlite/store-errors.ts'
import { toStoreError } from './postgres-errors.ts'

/** An error as the client library throws it. */
function serverError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}

test('a refused connection beyond the limit of the role names the limits to raise, and can be retried', () => {
  const cause = serverError('53300', 'too many connections for role "texproof"')
  const error = toStoreError(cause)
  assert.ok(error instanceof StoreUnavailable)
  assert.deepEqual(
    [error.message, error.remedy],
    [
      'the database is not available: too many connections for role "texproof"',
      'Allow 25 connections for each server: max_connections of PostgreSQL, and CONNECTION LIMIT of the role and the database.',
    ],
  )
})

test('a server that shuts down is unavailable, and may have the wrong address', () => {
  const error = toStoreError(serverError('57P01', 'terminating connection due to administrator command'))
  assert.ok(error instanceof StoreUnavailable)
  assert.equal(error.remedy, 'Check TEXPROOF_DATABASE_URL and that the server is running.')
})
