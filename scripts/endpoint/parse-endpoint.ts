import { existsSync } from 'node:fs'

import { matchRoute } from '../../packages/texproof/src/api/match-route.ts'
import { routes } from '../../packages/texproof/src/api/routes.ts'
import type { Endpoint } from './endpoint.ts'
import { nameHandler } from './name-handler.ts'
import { handlerFile, handlersFolder, routesFile } from './source-files.ts'

/** What was typed; `name` = null lets the path name the handler. */
export interface WantedEndpoint {
  readonly method: string
  readonly path: string
  readonly name: string | null
}

/** An endpoint that nothing stands in the way of, or in words why it cannot be made. */
export type EndpointOutcome = { readonly endpoint: Endpoint } | { readonly refusal: string }

/** A step of a path: fixed, `{name}`, or at the end `{+name}`. */
const PATH = /^(?:\/(?:[a-z0-9][a-z0-9._-]*|\{[a-z_]+\}))*\/(?:[a-z0-9][a-z0-9._-]*|\{\+?[a-z_]+\})$/

/** Checks what was typed against the grammar of paths and against what is there; the current folder is the root. */
export function parseEndpoint({ method: typed, path, name: wantedName }: WantedEndpoint): EndpointOutcome {
  const method = typed.toUpperCase()
  if (method !== 'GET' && method !== 'POST')
    return {
      refusal: `"${typed}" is no method of the route table, which has GET and POST. Another one begins with RouteBase in ${routesFile}.`,
    }
  const fault = findFault(path)
  if (fault !== null) return { refusal: `"${path}" is no path: ${fault}. It looks like /repos/{owner}/{repo}/commits.` }
  const twin = routes.find((route) => route.method === method && shapeOf(route.path) === shapeOf(path))
  if (twin !== undefined)
    return {
      refusal: `${method} ${twin.path} is there already: ${handlersFolder}/${handlerFile(twin.handler.name)}.ts`,
    }
  const name = wantedName ?? nameHandler(method, path)
  if (!/^[a-z][A-Za-z0-9]*$/.test(name))
    return { refusal: `"${name}" is no name of a function. It looks like listCommits.` }
  const file = `${handlersFolder}/${handlerFile(name)}.ts`
  if (existsSync(file) || existsSync(file.replace('.ts', '.test.ts')))
    return { refusal: `${file} is there already. Name the handler otherwise, with --name listSomethingElse.` }
  const needsLogin = method === 'POST' || /^\/user(\/|$)/.test(path)
  const isInRepository = path.startsWith('/repos/{owner}/{repo}/')
  return { endpoint: { method, path, name, needsLogin, isList: name.startsWith('list'), isInRepository } }
}

/** The path of the row that answers this address today, and would go on doing so from further up; null = none. */
export function findCatcher({ method, path }: Pick<Endpoint, 'method' | 'path'>): string | null {
  const example = path.replaceAll(/\{\+\w+\}/g, '-/-').replaceAll(/\{\w+\}/g, '-')
  return matchRoute(method, example)?.route.path ?? null
}

function findFault(path: string): string | null {
  if (!path.startsWith('/')) return 'it does not begin with "/"'
  if (path.startsWith('/api/v3/')) return 'it begins with /api/v3, which every path does'
  if (path.length > 1 && path.endsWith('/')) return 'it ends with "/"'
  const names = [...path.matchAll(/\{\+?(\w+)\}/g)].map((match) => match[1])
  if (new Set(names).size < names.length) return 'two of its parameters have the same name'
  if (/\{\+\w+\}.*\//.test(path)) return '{+name} takes all that follows, so it comes last'
  if (!PATH.test(path))
    return 'between slashes stands a word in lower case, {name}, or at the end {+name} for a value with slashes'
  return null
}

/** Paths of one shape are the same addresses, whatever their parameters are called. */
function shapeOf(path: string): string {
  return path.replaceAll(/\{(\+?)\w+\}/g, '{$1}')
}
