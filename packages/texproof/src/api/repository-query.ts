import type { MembershipFilter, RepositoryOrder } from '../store/repositories/repository-lists.ts'
import { unprocessable } from './api-error.ts'

/** `sort` and `direction`; anything unknown is the default. `pushed` sorts by the time of the last change. */
export function parseRepositoryOrder(query: URLSearchParams): RepositoryOrder {
  const by = parseSort(last(query, 'sort'))
  const direction = last(query, 'direction')
  if (direction === 'asc' || direction === 'desc') return { by, direction }
  return { by, direction: by === 'full_name' ? 'asc' : 'desc' }
}

/**
 * `visibility`, `affiliation` and `type`; anything unknown is the default.
 *
 * @throws ApiError 422 if `type` is combined with one of the others.
 */
export function parseMembershipFilter(query: URLSearchParams): MembershipFilter {
  const visibility = last(query, 'visibility')
  const affiliation = last(query, 'affiliation')
  const type = last(query, 'type')
  if (type === '') return { ...parseAffiliation(affiliation), visibility: parseVisibility(visibility) }
  if (visibility !== '' || affiliation !== '') throw typeNotAlone()
  return {
    isOwner: type !== 'member',
    isCollaborator: type !== 'owner',
    visibility: parseVisibility(type),
  }
}

function last(query: URLSearchParams, name: string): string {
  return query.size === 0 ? '' : (query.getAll(name).at(-1) ?? '')
}

function parseSort(sort: string): RepositoryOrder['by'] {
  if (sort === 'created') return 'created'
  return sort === 'updated' || sort === 'pushed' ? 'updated' : 'full_name'
}

function parseVisibility(visibility: string): MembershipFilter['visibility'] {
  return visibility === 'public' || visibility === 'private' ? visibility : null
}

/** `organization_member` is valid and matches nothing: there are no organizations. */
function parseAffiliation(list: string): Pick<MembershipFilter, 'isOwner' | 'isCollaborator'> {
  const words = list.split(',').map((word) => word.trim())
  const isOwner = words.includes('owner')
  const isCollaborator = words.includes('collaborator')
  const isDefault = !isOwner && !isCollaborator && !words.includes('organization_member')
  return { isOwner: isOwner || isDefault, isCollaborator: isCollaborator || isDefault }
}

function typeNotAlone(): Error {
  const message = 'If you specify visibility or affiliation, you cannot specify type.'
  return unprocessable(message, [{ resource: 'Repository', field: 'type', code: 'custom', message }])
}
