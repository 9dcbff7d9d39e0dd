/**
 * The body of `POST /user/repos`, parsed once. Every invalid field is reported, in the order of the documentation.
 * Values are never converted: `private: "true"` must not create a public repository.
 *
 * Source: REST specification §4; contract §8.
 */
import { parseRepositoryName } from '../domain/names.ts'
import type { RepositoryName } from '../domain/names.ts'
import type { Visibility } from '../domain/types.ts'
import { gitignoreTemplates, licenseTemplates } from '../templates/template-catalog.ts'
import type { TemplateCatalog } from '../templates/template-catalog.ts'
import type { FieldError } from './api-error.ts'

/** The requested repository. */
export interface WantedRepository {
  readonly name: RepositoryName
  readonly description: string | null
  readonly visibility: Visibility
  /** null = empty. */
  readonly firstCommit: { readonly gitignore: string | null; readonly license: string | null } | null
}

/** Members of the body. */
export const newRepositoryMembers = [
  'name',
  'description',
  'private',
  'auto_init',
  'gitignore_template',
  'license_template',
] as const

/** Characters, not UTF-16 units. Source: REST specification §8. */
const maxDescriptionLength = 500

/** Errors of a request body. */
export interface InvalidRepository {
  /** null = one of the invalid fields. */
  readonly name: RepositoryName | null
  readonly errors: readonly FieldError[]
}

/** Reports every invalid field. */
export function parseNewRepository(body: ReadonlyMap<string, unknown>): WantedRepository | InvalidRepository {
  const errors: FieldError[] = []
  const field = <T>(
    name: (typeof newRepositoryMembers)[number],
    parse: (value: unknown, name: string) => T | FieldError,
  ): T | null => {
    const value = body.get(name)
    const parsed = parse(value === undefined || value === '' ? null : value, name)
    if (!isFieldError(parsed)) return parsed
    errors.push(parsed)
    return null
  }

  const name = field('name', parseName)
  const description = field('description', parseDescription)
  const isPrivate = field('private', parseFlag)
  const autoInit = field('auto_init', parseFlag)
  const gitignore = field('gitignore_template', (value, key) => parseTemplate(value, key, gitignoreTemplates))
  const license = field('license_template', (value, key) => parseTemplate(lowerCased(value), key, licenseTemplates))
  if (name === null || errors.length > 0) return { name, errors }
  return {
    name,
    description,
    visibility: isPrivate === true ? 'private' : 'public',
    firstCommit: autoInit === true ? { gitignore, license } : null,
  }
}

function parseName(value: unknown): RepositoryName | FieldError {
  if (value === null) return { resource: 'Repository', field: 'name', code: 'missing_field' }
  return parseRepositoryName(value) ?? invalid('name')
}

function parseDescription(value: unknown, field: string): string | null | FieldError {
  if (value === null) return null
  if (typeof value !== 'string' || !value.isWellFormed() || /\p{Cc}/u.test(value)) return invalid(field)
  const isShort = value.length <= maxDescriptionLength || [...value].length <= maxDescriptionLength
  return isShort ? value : invalid(field)
}

function parseFlag(value: unknown, field: string): boolean | null | FieldError {
  return value === null || typeof value === 'boolean' ? value : invalid(field)
}

function parseTemplate(value: unknown, field: string, catalog: TemplateCatalog): string | null | FieldError {
  if (value === null) return null
  if (typeof value !== 'string') return invalid(field)
  if (catalog.names.has(value)) return value
  const kind = field.replace('_template', '')
  return { resource: 'Repository', field, code: 'custom', message: `${field} is an unknown ${kind} template.` }
}

function lowerCased(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value
}

function invalid(field: string): FieldError {
  return { resource: 'Repository', field, code: 'invalid' }
}

function isFieldError(value: unknown): value is FieldError {
  return typeof value === 'object' && value !== null && 'code' in value
}
