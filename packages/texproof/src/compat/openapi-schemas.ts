/**
 * The bodies of the API as JSON schemas, all with `additionalProperties: false`: a member that the contract omits must
 * not appear, and tests compare real responses with these.
 */

/** JSON Schema of draft 2020-12, as OpenAPI 3.1 uses it. */
export type JsonSchema = Readonly<Record<string, unknown>>

const text: JsonSchema = { type: 'string' }
const textOrNull: JsonSchema = { type: ['string', 'null'] }
const address: JsonSchema = { type: 'string', format: 'uri' }
const time: JsonSchema = { type: 'string', pattern: String.raw`^\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\dZ$` }
const flag: JsonSchema = { type: 'boolean' }
const commitId: JsonSchema = { type: 'string', pattern: '^(?:[0-9a-f]{40}|[0-9a-f]{64})$' }

const owner = {
  login: text,
  id: { type: 'string', minLength: 1, description: 'A string, not a number.' },
  avatar_url: { type: ['string', 'null'], format: 'uri' },
  email: { type: 'null' },
  url: address,
  html_url: address,
  repos_url: address,
  type: { const: 'User' },
  site_admin: { const: false },
}

const person = object({ name: text, email: text, date: time })

const commitReference = object({ sha: commitId, url: address })

const repository = {
  id: { type: 'integer' },
  name: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,100}$' },
  full_name: text,
  private: flag,
  owner: reference('Owner'),
  html_url: address,
  description: { type: ['string', 'null'], maxLength: 500 },
  fork: { const: false },
  url: address,
  clone_url: address,
  created_at: time,
  updated_at: time,
  default_branch: text,
  visibility: { enum: ['public', 'private'] },
  archived: flag,
  disabled: flag,
  stargazers_count: { type: 'integer', minimum: 0 },
  watchers_count: { type: 'integer', minimum: 0 },
  forks_count: { const: 0 },
}

const permissions = object({ admin: flag, maintain: flag, push: flag, triage: flag, pull: flag })

/** The name of one of the schemas. */
export type SchemaName = keyof typeof schemas

/** `components.schemas` of the OpenAPI document. */
export const schemas = {
  Owner: object(owner),
  User: object({
    ...owner,
    name: textOrNull,
    bio: textOrNull,
    public_repos: { type: 'integer', minimum: 0 },
    created_at: time,
    updated_at: time,
  }),
  Repository: object(repository),
  RepositoryWithPermissions: object({ ...repository, permissions }),
  Branch: object({ name: text, commit: commitReference, protected: { const: false } }),
  BranchWithCommit: object({
    name: text,
    commit: object({
      sha: commitId,
      commit: object({
        author: person,
        committer: person,
        message: text,
        tree: commitReference,
        url: address,
        comment_count: { const: 0 },
      }),
      url: address,
      html_url: address,
      comments_url: address,
      author: { type: 'null' },
      committer: { type: 'null' },
      parents: { type: 'array', items: object({ sha: commitId, url: address, html_url: address }) },
    }),
    _links: object({ self: address, html: address }),
    protected: { const: false },
    protection: object({
      enabled: { const: false },
      required_status_checks: object({
        enforcement_level: { const: 'off' },
        contexts: { type: 'array', maxItems: 0 },
        checks: { type: 'array', maxItems: 0 },
      }),
    }),
    protection_url: address,
  }),
  Tag: object({ name: text, commit: commitReference }),
  Error: object({ message: text, documentation_url: address, status: { type: 'string', pattern: '^[45][0-9]{2}$' } }),
  ValidationError: object({
    message: text,
    errors: { type: 'array', minItems: 1, items: reference('FieldError') },
    documentation_url: address,
    status: { const: '422' },
  }),
  FieldError: {
    oneOf: [
      object({ resource: text, field: text, code: { enum: ['missing_field', 'invalid'] } }),
      object({ resource: text, field: text, code: { const: 'custom' }, message: text }),
    ],
  },
  NewRepository: {
    type: 'object',
    required: ['name'],
    properties: {
      name: repository.name,
      description: repository.description,
      private: { type: ['boolean', 'null'], default: false },
      auto_init: { type: ['boolean', 'null'], default: false },
      gitignore_template: { type: ['string', 'null'], examples: ['TeX'], description: 'Only with `auto_init`.' },
      license_template: { type: ['string', 'null'], examples: ['cc-by-4.0'], description: 'Only with `auto_init`.' },
    },
  },
} satisfies Readonly<Record<string, JsonSchema>>

/** A reference to one of the schemas. */
export function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

function object(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties, additionalProperties: false }
}
