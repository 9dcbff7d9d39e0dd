import { routes } from '../api/routes.ts'
import { clients, touredEndpoints } from './clients.ts'
import type { ClientRow } from './clients.ts'
import { generalDifferences, matrix, notImplemented } from './matrix.ts'
import type { MatrixRow } from './matrix.ts'

/** Clients whose results are known for each endpoint. */
const columns = clients.filter(({ test, unreadable }) => test !== null || unreadable.length > 0)

/** Endpoints, differences and compatible clients in Markdown, for the documents and the pages. */
export function renderCompatibility(): string {
  return [
    '# API compatibility',
    '',
    'The API at `/api/v3` implements a subset of the GitHub REST API. Existing clients work if they use only the endpoints below.',
    '',
    '## Not implemented',
    '',
    ...notImplemented.map((each) => `- ${each}`),
    '',
    '## Clients',
    '',
    '| Client | Version | Result | Connect with | Limitations |',
    '|---|---|---|---|---|',
    ...clients.map(
      ({ name, versions, result, setup, limitations }) =>
        `| ${name} | ${versions ?? 'not run'} | ${result} | ${setup} | ${limitations} |`,
    ),
    '',
    '## Differences for all endpoints',
    '',
    ...generalDifferences.map((difference) => `- ${difference}`),
    '',
    '## Endpoints',
    '',
    '| Endpoint | Token | Differences |',
    '|---|---|---|',
    ...matrix.map((row) => `| \`${shown(row.endpoint)}\` | ${tokenOf(row.endpoint)} | ${differencesOf(row)} |`),
    '',
    '## Endpoints by client',
    '',
    '✓ = the test suite calls the endpoint with this client, over all pages of results, and compares the values. ✗ = the client cannot decode the response. – = not run.',
    '',
    `| Endpoint | ${columns.map(({ shortName }) => shortName).join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
    ...matrix.map(
      ({ endpoint }) => `| \`${shown(endpoint)}\` | ${columns.map((client) => cell(client, endpoint)).join(' | ')} |`,
    ),
    '',
  ].join('\n')
}

function cell({ test, unreadable }: ClientRow, endpoint: string): string {
  if (unreadable.includes(endpoint)) return '✗'
  return test !== null && touredEndpoints.includes(endpoint) ? '✓' : '–'
}

function differencesOf({ differences }: MatrixRow): string {
  return differences.join(' ')
}

function shown(endpoint: string): string {
  return endpoint.replace('{+', '{')
}

function tokenOf(endpoint: string): string {
  const route = routes.find(({ method, path }) => `${method} ${path}` === endpoint)
  if (route?.auth !== 'required') return 'optional'
  return route.scope === undefined ? 'required' : `required, with \`${route.scope}\``
}
