import { routes } from '../api/routes.ts'
import { clients, touredEndpoints } from './clients.ts'
import type { ClientRow } from './clients.ts'
import { generalDifferences, matrix, notImplemented } from './matrix.ts'
import type { MatrixRow } from './matrix.ts'

/** Clients of which an endpoint by itself can be told. */
const columns = clients.filter(({ test, unreadable }) => test !== null || unreadable.length > 0)

/** What exists, how it differs and which clients were tried, in Markdown: for the documents and for the pages. */
export function renderCompatibility(): string {
  return [
    '# Compatibility of the REST API',
    '',
    'The API lives under `/api/v3` of the public address and mirrors a part of the API of a widely used code host.',
    '',
    '## Everywhere',
    '',
    ...generalDifferences.map((difference) => `- ${difference}`),
    '',
    '## Endpoints',
    '',
    '| Endpoint | Token | Differences |',
    '|---|---|---|',
    ...matrix.map((row) => `| \`${shown(row.endpoint)}\` | ${tokenOf(row.endpoint)} | ${differencesOf(row)} |`),
    '',
    '## Endpoints and clients',
    '',
    '✓ = a test makes the call with the real client, over all pages, and compares what it reads. ✗ = the client cannot read the answer. – = not run.',
    '',
    `| Endpoint | ${columns.map(({ shortName }) => shortName).join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
    ...matrix.map(
      ({ endpoint }) => `| \`${shown(endpoint)}\` | ${columns.map((client) => cell(client, endpoint)).join(' | ')} |`,
    ),
    '',
    '## Not implemented',
    '',
    ...notImplemented.map((each) => `- ${each}`),
    '',
    '## Clients',
    '',
    '| Client | Version tried | Set-up | Works | Does not |',
    '|---|---|---|---|---|',
    ...clients.map(
      ({ name, version, setup, works, fails }) =>
        `| ${name} | ${version ?? 'not run'} | ${setup} | ${works} | ${fails} |`,
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
  return route.scope === undefined ? 'needed' : `needed, with \`${route.scope}\``
}
