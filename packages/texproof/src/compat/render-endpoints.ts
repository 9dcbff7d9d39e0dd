import { routes } from '../api/routes.ts'
import type { Route } from '../api/routes.ts'
import { getMatrixRow } from './matrix.ts'
import type { MatrixRow } from './matrix.ts'
import { queryParameters } from './query-parameters.ts'
import { presentSamples } from './samples.ts'

/** Every endpoint in Markdown: what it is for, a call to copy, what it answers, how it differs. From the route table. */
export function renderEndpoints(baseUrl: string): string {
  const samples = presentSamples(baseUrl)
  return routes
    .map((route) => {
      const path = route.path.replace('{+', '{')
      const row = getMatrixRow(`${route.method} ${route.path}`)
      const heading = `### \`${route.method} ${path}\``
      if (row.state === 'planned') return `${heading}\n\nPlanned. It answers 404 until it is written.`
      return [
        heading,
        `${row.summary}. ${describeToken(route)}`,
        parameterTable(row),
        fenced(callOf(route, { row, baseUrl })),
        `Answers ${route.method === 'POST' ? 201 : 200}:`,
        fenced(JSON.stringify(row.sample(samples), null, 2)),
        differencesOf(row),
      ]
        .filter((part) => part !== '')
        .join('\n\n')
    })
    .join('\n\n')
}

function describeToken(route: Route): string {
  if (route.auth !== 'required') return 'A token is welcome, and needed for what is private.'
  return route.scope === undefined ? 'Needs a token.' : `Needs a token with the scope \`${route.scope}\`.`
}

function parameterTable({ query }: MatrixRow): string {
  if (query.length === 0) return ''
  const rows = query.map((name) => {
    const { schema, ...rest } = queryParameters[name]
    const values = 'enum' in schema ? schema.enum.map((value) => `\`${value}\``).join(', ') : schema.type
    const words = 'description' in rest ? `${values}. ${rest.description}` : values
    return `| \`${name}\` | ${words} | ${'default' in schema ? schema.default : ''} |`
  })
  return ['| Query | Values | Without it |', '|---|---|---|', ...rows].join('\n')
}

/** A call that works once `TOKEN` is set. */
function callOf(route: Route, { row, baseUrl }: { readonly row: MatrixRow; readonly baseUrl: string }): string {
  const path = route.path
    .replace('{username}', 'alice')
    .replace('{owner}/{repo}', 'alice/tides')
    .replace('{+branch}', 'main')
  const lines = [
    `curl${route.auth === 'required' ? ' -H "Authorization: token $TOKEN"' : ''}`,
    ...(row.body === undefined ? [] : [`-d '${JSON.stringify(row.body.sample)}'`]),
    `${baseUrl}/api/v3${path}`,
  ]
  return lines.join(' ')
}

function differencesOf({ differences }: MatrixRow): string {
  return differences.length === 0
    ? ''
    : ['Differs from the API it mirrors:', '', ...differences.map((each) => `- ${each}`)].join('\n')
}

function fenced(text: string): string {
  return `\`\`\`\n${text}\n\`\`\``
}
