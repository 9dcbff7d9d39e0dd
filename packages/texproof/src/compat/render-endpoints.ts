import { routes } from '../api/routes.ts'
import type { Route } from '../api/routes.ts'
import { getMatrixRow } from './matrix.ts'
import type { MatrixRow } from './matrix.ts'
import { queryParameters } from './query-parameters.ts'
import { presentSamples } from './samples.ts'

/** Values for the path parameters of examples, so that calls work. */
export interface ExampleCall {
  readonly username: string
  readonly owner: string
  readonly repo: string
  readonly branch: string
  /** Whether the user and the repository can be read without a token. */
  readonly isPublic: boolean
  /** Token in shell syntax: `$TOKEN`, or a token. */
  readonly token: string
}

/** One parameter of a call. */
export interface CallParameter {
  readonly name: string
  readonly place: 'path' | 'query'
  /** Possible values; null = any text. */
  readonly values: readonly string[] | null
}

/** An endpoint as shown in the documentation. */
export interface RenderedEndpoint {
  readonly method: string
  /** Path as in the route table: `/repos/{owner}/{repo}/branches/{+branch}`. */
  readonly path: string
  /** Whether a page can call it: it is implemented and read-only. */
  readonly canBeTried: boolean
  readonly parameters: readonly CallParameter[]
  /** Purpose and a command to copy, in Markdown. */
  readonly question: string
  /** Response and differences from GitHub, in Markdown. */
  readonly answer: string
}

/** Every endpoint, from the route table. */
export function renderEndpoints(baseUrl: string, example: ExampleCall): readonly RenderedEndpoint[] {
  const samples = presentSamples(baseUrl)
  return routes.map((route) => {
    const row = getMatrixRow(`${route.method} ${route.path}`)
    const heading = `### \`${route.method} ${route.path.replace('{+', '{')}\``
    const { method, path } = route
    const call = fenced(callOf(route, { row, baseUrl, example }))
    const sample = fenced(JSON.stringify(row.sample(samples), null, 2))
    return {
      method,
      path,
      canBeTried: route.method === 'GET',
      parameters: listParameters(route, row),
      question: paragraphs(heading, `${row.summary}. ${describeToken(route)}`, parameterTable(row), call),
      answer: paragraphs(`Returns ${route.method === 'POST' ? 201 : 200}, for example:`, sample, differencesOf(row)),
    }
  })
}

function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}

function listParameters({ path }: Route, { query }: MatrixRow): readonly CallParameter[] {
  const inPath = [...path.matchAll(/\{\+?(\w+)\}/g)].map(
    ([, name = '']) => ({ name, place: 'path', values: null }) as const,
  )
  const inQuery = query.map((name) => {
    const { schema } = queryParameters[name]
    return { name, place: 'query', values: 'enum' in schema ? schema.enum : null } as const
  })
  return [...inPath, ...inQuery]
}

function describeToken(route: Route): string {
  if (route.auth !== 'required') return 'A token is optional; private data requires one.'
  return route.scope === undefined ? 'Requires a token.' : `Requires a token with the scope \`${route.scope}\`.`
}

function parameterTable({ query }: MatrixRow): string {
  if (query.length === 0) return ''
  const rows = query.map((name) => {
    const { schema, ...rest } = queryParameters[name]
    const values = 'enum' in schema ? schema.enum.map((value) => `\`${value}\``).join(', ') : schema.type
    const words = 'description' in rest ? `${values}. ${rest.description}` : values
    return `| \`${name}\` | ${words} | ${'default' in schema ? schema.default : ''} |`
  })
  return ['| Query | Values | Default |', '|---|---|---|', ...rows].join('\n')
}

/** A command that works once `TOKEN` is set. */
function callOf(
  route: Route,
  { row, baseUrl, example }: { readonly row: MatrixRow; readonly baseUrl: string; readonly example: ExampleCall },
): string {
  const { username, owner, repo, branch, isPublic, token } = example
  const path = route.path
    .replace('{username}', username)
    .replace('{owner}/{repo}', `${owner}/${repo}`)
    // Names with special characters of the shell are replaced.
    .replace('{+branch}', /^[\w./-]+$/.test(branch) ? branch : 'main')
  const isTokenSent = route.auth === 'required' || !isPublic || token.startsWith('pst_')
  const lines = [
    `curl${isTokenSent ? ` -H "Authorization: token ${token}"` : ''}`,
    ...(row.body === undefined ? [] : [`-d '${JSON.stringify(row.body.sample)}'`]),
    `${baseUrl}/api/v3${path}`,
  ]
  return lines.join(' ')
}

function differencesOf({ differences }: MatrixRow): string {
  return differences.length === 0
    ? ''
    : ['Differences from the GitHub API:', '', ...differences.map((each) => `- ${each}`)].join('\n')
}

function fenced(text: string): string {
  return `\`\`\`\n${text}\n\`\`\``
}
