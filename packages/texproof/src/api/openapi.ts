import { reference, schemas } from './openapi-schemas.ts'
import type { JsonSchema } from './openapi-schemas.ts'
import { routes } from './routes.ts'
import type { Route } from './routes.ts'

/** What the route table does not say about an endpoint. */
export interface EndpointDescription {
  readonly summary: string
  /** Names of query parameters, explained below. */
  readonly query: readonly QueryName[]
  /** Schema of a good answer; a list of it when `isList`. */
  readonly answer: string
  readonly isList: boolean
  /** Statuses besides the ones that the route's policy brings. */
  readonly refusals: readonly number[]
}

type QueryName = keyof typeof queryParameters

/** What may follow the question mark, by its name. */
export const queryParameters = {
  visibility: { schema: { enum: ['all', 'public', 'private'], default: 'all' } },
  affiliation: { schema: { type: 'string', default: 'owner,collaborator' }, description: 'Comma-separated.' },
  type: { schema: { enum: ['all', 'owner', 'public', 'private', 'member'], default: 'all' } },
  sort: { schema: { enum: ['created', 'updated', 'pushed', 'full_name'], default: 'full_name' } },
  direction: { schema: { enum: ['asc', 'desc'] }, description: '`asc` for `full_name`, else `desc`.' },
  per_page: { schema: { type: 'integer', minimum: 1, maximum: 100, default: 30 } },
  page: { schema: { type: 'integer', minimum: 1, default: 1 } },
} as const satisfies Readonly<Record<string, { readonly schema: JsonSchema; readonly description?: string }>>

const paging = ['per_page', 'page'] as const

/** By method and path, one a row of the route table. */
export const endpointDescriptions: Readonly<Record<string, EndpointDescription>> = {
  'GET /user': { summary: 'Who the token belongs to', query: [], answer: 'User', isList: false, refusals: [] },
  'GET /users/{username}': { summary: 'A public profile', query: [], answer: 'User', isList: false, refusals: [404] },
  'GET /user/repos': {
    summary: 'What the caller owns or was invited to',
    query: ['visibility', 'affiliation', 'type', 'sort', 'direction', ...paging],
    answer: 'RepositoryWithPermissions',
    isList: true,
    refusals: [422],
  },
  'POST /user/repos': {
    summary: 'Make a repository',
    query: [],
    answer: 'RepositoryWithPermissions',
    isList: false,
    refusals: [422],
  },
  'GET /users/{username}/repos': {
    summary: 'Public repositories of a user',
    query: ['sort', 'direction', ...paging],
    answer: 'Repository',
    isList: true,
    refusals: [404],
  },
  'GET /repos/{owner}/{repo}': {
    summary: 'A repository',
    query: [],
    answer: 'Repository',
    isList: false,
    refusals: [404],
  },
  'GET /repos/{owner}/{repo}/branches': {
    summary: 'Branches by name',
    query: paging,
    answer: 'Branch',
    isList: true,
    refusals: [404],
  },
  'GET /repos/{owner}/{repo}/branches/{+branch}': {
    summary: 'A branch with its commit',
    query: [],
    answer: 'BranchWithCommit',
    isList: false,
    refusals: [404],
  },
  'GET /repos/{owner}/{repo}/tags': {
    summary: 'Tags, newest version first',
    query: paging,
    answer: 'Tag',
    isList: true,
    refusals: [404],
  },
}

/** The OpenAPI 3.1 document of the API under a public base address. */
export function openApiDocument(baseUrl: string) {
  return {
    openapi: '3.1.0',
    info: { title: 'Texproof REST API', version: 'v3', license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: `${baseUrl}/api/v3` }],
    paths: Object.fromEntries(groupByPath()),
    components: {
      schemas,
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'A personal access token, `pst_…`.' } },
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
    const path = documentedPath(route)
    const item = paths.get(path) ?? {}
    paths.set(path, { ...item, [route.method.toLowerCase()]: operationOf(route) })
  }
  return paths
}

function operationOf(route: Route) {
  const description = endpointDescriptions[`${route.method} ${route.path}`]
  if (description === undefined) throw new Error(`no description of ${route.method} ${route.path}`)
  const hasBody = route.auth === 'required' && route.body !== undefined
  return {
    operationId: route.handler.name,
    summary: description.summary,
    externalDocs: { url: route.documentation },
    // An empty alternative says that a token is welcome and not needed.
    security: route.auth === 'required' ? [{ token: [] }] : [{ token: [] }, {}],
    parameters: [...pathParameters(route), ...description.query.map(queryParameter)],
    ...(hasBody
      ? { requestBody: { required: true, content: { 'application/json': { schema: reference('NewRepository') } } } }
      : {}),
    responses: responsesOf(route, description),
  }
}

function responsesOf(route: Route, description: EndpointDescription) {
  const { answer, isList, refusals } = description
  const alternatives = answer === 'Repository' && !isList ? ['Repository', 'RepositoryWithPermissions'] : [answer]
  const one = alternatives.length === 1 ? reference(answer) : { oneOf: alternatives.map(reference) }
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
    ...(rest === '+' ? { description: 'May hold slashes, as they are or as `%2F`.' } : {}),
  }))
}

function queryParameter(name: QueryName) {
  return { name, in: 'query', ...queryParameters[name] }
}

/** OpenAPI has no word for a parameter that spans slashes. */
function documentedPath(route: Route): string {
  return route.path.replace('{+', '{')
}
