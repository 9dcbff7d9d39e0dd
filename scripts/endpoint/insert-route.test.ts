import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import { routes } from '../../packages/texproof/src/api/routes.ts'
import type { Endpoint } from './endpoint.ts'
import { insertRoute } from './insert-route.ts'
import { findCatcher } from './parse-endpoint.ts'
import { routesFile } from './source-files.ts'

const source = readFileSync(new URL(`../../${routesFile}`, import.meta.url), 'utf8')
const paths = routes.map(({ path }) => path)

function endpointOf(path: string): Endpoint {
  return { method: 'GET', path, name: 'getSomething', needsLogin: false, isList: false, isInRepository: false }
}

function pathsWith(path: string): readonly string[] {
  const text = insertRoute(source, endpointOf(path), findCatcher(endpointOf(path)))
  return [...text.slice(text.indexOf('export const routes')).matchAll(/^ {4}path: '(.+)'/gm)].map(
    (match) => match[1] ?? '',
  )
}

test('insertRoute() puts a row at the end of the table', () => {
  assert.deepEqual(pathsWith('/repos/{owner}/{repo}/commits'), [...paths, '/repos/{owner}/{repo}/commits'])
})

test('insertRoute() puts a row before the one that would answer in its place', () => {
  const within = '/repos/{owner}/{repo}/branches/{branch}/protection'
  const beside = '/users/search'
  assert.deepEqual(
    [pathsWith(within), pathsWith(beside)],
    [
      paths.flatMap((path) => (path.endsWith('/{+branch}') ? [within, path] : [path])),
      paths.flatMap((path) => (path === '/users/{username}' ? [beside, path] : [path])),
    ],
  )
})

test('insertRoute() imports the handler in the order of the alphabet', () => {
  const text = insertRoute(source, endpointOf('/meta'), null)
  const imported = [...text.matchAll(/^import \{ (\w+) \} from '\.\/handlers\//gm)].map((match) => match[1] ?? '')
  assert.deepEqual(imported, imported.toSorted())
  assert.ok(imported.includes('getSomething'))
})
