import type { JsonSchema } from './openapi-schemas.ts'

/** The name of a query parameter. */
export type QueryName = keyof typeof queryParameters

/** Query parameters by name. */
export const queryParameters = {
  visibility: { schema: { enum: ['all', 'public', 'private'], default: 'all' } },
  affiliation: { schema: { type: 'string', default: 'owner,collaborator' }, description: 'Comma-separated.' },
  type: { schema: { enum: ['all', 'owner', 'public', 'private', 'member'], default: 'all' } },
  sort: { schema: { enum: ['created', 'updated', 'pushed', 'full_name'], default: 'full_name' } },
  direction: { schema: { enum: ['asc', 'desc'] }, description: '`asc` for `full_name`, else `desc`.' },
  per_page: { schema: { type: 'integer', minimum: 1, maximum: 100, default: 30 } },
  page: { schema: { type: 'integer', minimum: 1, default: 1 } },
} as const satisfies Readonly<Record<string, { readonly schema: JsonSchema; readonly description?: string }>>

/** Parameters of every list. */
export const paging: readonly QueryName[] = ['per_page', 'page']
