import assert from 'node:assert/strict'
import { test } from 'node:test'

import { routes } from '../../packages/texproof/src/api/routes.ts'
import { matrix } from '../../packages/texproof/src/compat/matrix.ts'
import { findGaps, findStaleDocuments } from './find-gaps.ts'
import { makeDocuments } from './make-documents.ts'

process.chdir(new URL('../..', import.meta.url).pathname)
const handlers = 'packages/texproof/src/api/handlers'
const matrixFile = 'packages/texproof/src/compat/matrix.ts'

test('findGaps() names a route without a matrix row, and a row without a route', async () => {
  const renamed = matrix.map((row) => (row.endpoint === 'GET /user' ? { endpoint: 'GET /me' } : row))
  assert.deepEqual(await findGaps({ routes, matrix: renamed }), [
    `route GET /user has no matrix row - add one to ${matrixFile}`,
    `matrix row GET /me has no route of its own - remove it from ${matrixFile}`,
  ])
})

test('findGaps() names a route without a handler file, and a handler without a behavior test', async () => {
  const listCommits = () => Promise.reject(new Error('never called'))
  const listTags = listCommits.bind(null)
  Object.defineProperty(listTags, 'name', { value: 'listTags' })
  const added = [
    { method: 'GET', path: '/repos/{owner}/{repo}/commits', handler: listCommits },
    { method: 'GET', path: '/repos/{owner}/{repo}/labels', handler: listTags },
  ] as const
  const rows = added.map(({ method, path }) => ({ endpoint: `${method} ${path}` }))
  assert.deepEqual(await findGaps({ routes: added, matrix: rows }), [
    `route GET /repos/{owner}/{repo}/commits has no handler of its own - write listCommits in ${handlers}/list-commits.ts`,
    `route GET /repos/{owner}/{repo}/labels has no behavior test - write ${handlers}/list-tags.test.ts with a title that begins test('GET /repos/{owner}/{repo}/labels …`,
  ])
})

test('findStaleDocuments() names an outdated document and the command that writes it', async () => {
  const documents = new Map(await makeDocuments()).set('docs/openapi.json', '{}')
  assert.deepEqual(await findStaleDocuments(Promise.resolve(documents)), [
    'docs/openapi.json is not what the code says - run `npm run docs`',
  ])
})
