import { routes } from '../api/routes.ts'
import type { Route } from '../api/routes.ts'
import { getMatrixRow } from './matrix.ts'
import type { MatrixRow } from './matrix.ts'
import { reference, schemas } from './openapi-schemas.ts'
import type { JsonSchema } from './openapi-schemas.ts'
import { queryParameters } from './query-parameters.ts'
import type { QueryName } from './query-parameters.ts'

/** The OpenAPI 3.1 document of the API under a public base address. */
export function openApiDocument(baseUrl: string) {
  return {
    openapi: '3.1.0',
    info: { title: 'Texproof REST API', version: 'v3', license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: `${baseUrl}/api/v3` }],
    paths: Object.fromEntries(groupByPath()),
    components: {
      schemas,
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'An access token, `pst_…`.' } },
      headers: responseHeaders,
    },
  }
}

const responseHeaders = {
  'X-Service-Media-Type': { required: true, schema: { const: 'service.v3; format=json' } },
  'X-Service-Request-Id': { required: true, schema: { type: 'string' } },
  Link: { description: 'Absent when all items fit on one page.', schema: { type: 'string' } },
  Location: { schema: { type: 'string', format: 'uri' } },
}

function groupByPath(): Map<string, Record<string, unknown>> {
  const paths = new Map<string, Record<string, unknown>>()
  for (const route of routes) {
    const row = getMatrixRow(`${route.method} ${route.path}`)
    const path = documentedPath(route)
    const item = paths.get(path) ?? {}
    paths.set(path, { ...item, [route.method.toLowerCase()]: operationOf(route, row) })
  }
  return paths
}

function operationOf(route: Route, row: MatrixRow) {
  return {
    operationId: route.handler.name,
    summary: row.summary,
    externalDocs: { url: route.documentation },
    // An empty alternative makes the token optional.
    security: route.auth === 'required' ? [{ token: [] }] : [{ token: [] }, {}],
    parameters: [...pathParameters(route), ...row.query.map(queryParameter)],
    ...(row.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: reference(row.body.schema) } } } }),
    responses: responsesOf(route, row),
  }
}

function responsesOf(route: Route, { answer, isList, refusals }: MatrixRow) {
  const one = schemaOf(answer, isList)
  const good = response(isList ? { type: 'array', items: one } : one, [
    ...(isList ? ['Link'] : []),
    ...(route.method === 'POST' ? ['Location'] : []),
  ])
  const policy = route.auth === 'required' && route.body !== undefined ? [400, 401, 403, 413] : [401]
  const statuses = [...policy, ...refusals].toSorted((a, b) => a - b)
  const bad = statuses.map((status) => [
    String(status),
    response(reference(status === 422 ? 'ValidationError' : 'Error'), []),
  ])
  return { [route.method === 'POST' ? '201' : '200']: good, ...Object.fromEntries(bad) }
}

function schemaOf(answer: MatrixRow['answer'], isList: boolean): JsonSchema {
  // With a token, a single repository includes the caller's permissions.
  if (answer === 'Repository' && !isList)
    return { oneOf: [reference('Repository'), reference('RepositoryWithPermissions')] }
  return reference(answer)
}

function response(schema: JsonSchema, extraHeaders: readonly string[]) {
  const names = ['X-Service-Media-Type', 'X-Service-Request-Id', ...extraHeaders]
  return {
    description: 'See the schema.',
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: { 'application/json; charset=utf-8': { schema } },
  }
}

function pathParameters(route: Route) {
  return [...route.path.matchAll(/\{(\+?)(\w+)\}/g)].map(([, rest, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...(rest === '+' ? { description: 'Can contain slashes, literal or encoded as `%2F`.' } : {}),
  }))
}

function queryParameter(name: QueryName) {
  return { name, in: 'query', ...queryParameters[name] }
}

/** OpenAPI has no notation for a parameter that spans slashes. */
function documentedPath(route: Route): string {
  return route.path.replace('{+', '{')
}
