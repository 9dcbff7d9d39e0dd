/**
 * What of the mirrored API exists here, what it answers and how it differs: all that is told of an endpoint but who may
 * call it, which is in the route table. `docs/compatibility.md`, `docs/openapi.json` and the pages under `/docs` are
 * written from this, and tests hold it to the route table and to real answers.
 */
import type { SchemaName } from './openapi-schemas.ts'
import { paging } from './query-parameters.ts'
import type { QueryName } from './query-parameters.ts'
import type { Samples } from './samples.ts'

/** An endpoint, what it answers, and where that differs from the mirrored API. */
export interface MatrixRow {
  /** Method and path as in the route table. */
  readonly endpoint: string
  /** What it is for, without a full stop. */
  readonly summary: string
  readonly query: readonly QueryName[]
  /** What it reads of the body, on routes that read one. */
  readonly body?: { readonly schema: SchemaName; readonly sample: unknown }
  /** Schema of a successful answer, of its items when `isList`. */
  readonly answer: SchemaName
  readonly isList: boolean
  /** Statuses besides the ones that the route's policy brings. */
  readonly refusals: readonly number[]
  readonly differences: readonly string[]
  /** A good answer to show. */
  readonly sample: (samples: Samples) => unknown
}

/** Differences that every endpoint shares. */
export const generalDifferences: readonly string[] = [
  'Every other path and every other method, `HEAD` and `OPTIONS` included, answers 404; so does the root document `GET /api/v3/`.',
  'User ids are strings. Clients that insist on numbers there cannot read users or repositories.',
  '`email` is always `null`, and commits carry `noreply@` and the host name in place of addresses.',
  '`node_id` and every field without an equivalent here are left out.',
  'No rate-limit headers, no `ETag` and no conditional requests, no CORS headers.',
  'Only personal access tokens are taken, as `token` or `Bearer`: no Basic credentials, no cookies, no query parameter.',
  'There is no GraphQL endpoint.',
  'A host with `require_sign_in` answers anonymous callers as if nothing were there.',
]

/** One row an endpoint, in the order of the route table. */
export const matrix: readonly MatrixRow[] = [
  {
    endpoint: 'GET /user',
    summary: 'Who the token belongs to',
    query: [],
    answer: 'User',
    isList: false,
    refusals: [],
    differences: ['`site_admin` is always `false`.'],
    sample: ({ profile }) => profile,
  },
  {
    endpoint: 'GET /users/{username}',
    summary: 'A public profile',
    query: [],
    answer: 'User',
    isList: false,
    refusals: [404],
    differences: ['`site_admin` is always `false`.'],
    sample: ({ profile }) => profile,
  },
  {
    endpoint: 'GET /user/repos',
    summary: 'What the caller owns or was invited to',
    query: ['visibility', 'affiliation', 'type', 'sort', 'direction', ...paging],
    answer: 'RepositoryWithPermissions',
    isList: true,
    refusals: [422],
    differences: [
      '`affiliation=organization_member` matches nothing: there are no organizations.',
      '`sort=pushed` sorts by `updated_at`.',
      '`since` and `before` are ignored.',
    ],
    sample: ({ ownRepository }) => [ownRepository],
  },
  {
    endpoint: 'POST /user/repos',
    summary: 'Make a repository',
    query: [],
    body: { schema: 'NewRepository', sample: { name: 'waves', auto_init: true, gitignore_template: 'TeX' } },
    answer: 'RepositoryWithPermissions',
    isList: false,
    refusals: [422],
    differences: [
      'A name with other characters is refused with 422 and never rewritten to hyphens.',
      'Values of the wrong type are refused with 422 and never converted.',
      'A description may have 500 characters.',
      'A JSON body that is not an object answers 400 `Problems parsing JSON`.',
      'Templates are checked even without `auto_init`.',
    ],
    sample: ({ newRepository }) => newRepository,
  },
  {
    endpoint: 'GET /users/{username}/repos',
    summary: 'Public repositories of a user',
    query: ['sort', 'direction', ...paging],
    answer: 'Repository',
    isList: true,
    refusals: [404],
    differences: ['`type` is ignored: the list holds public repositories only, also for their owner.'],
    sample: ({ publicRepository }) => [publicRepository],
  },
  {
    endpoint: 'GET /repos/{owner}/{repo}',
    summary: 'A repository',
    query: [],
    answer: 'Repository',
    isList: false,
    refusals: [404],
    differences: [
      'A renamed repository answers 404 under its old name; there are no redirects.',
      'One that the administrator of the host has disabled answers with `disabled: true`; its branches and tags answer 404 to all but those who administer it.',
    ],
    sample: ({ publicRepository }) => publicRepository,
  },
  {
    endpoint: 'GET /repos/{owner}/{repo}/branches',
    summary: 'Branches by name',
    query: paging,
    answer: 'Branch',
    isList: true,
    refusals: [404],
    differences: ['`protected` is ignored: no branch is protected.'],
    sample: ({ branch }) => [branch],
  },
  {
    endpoint: 'GET /repos/{owner}/{repo}/branches/{+branch}',
    summary: 'A branch with its commit',
    query: [],
    answer: 'BranchWithCommit',
    isList: false,
    refusals: [404],
    differences: [
      'A missing branch answers `Not Found`.',
      'Only exact branch names are found: no tags, commit ids or expressions.',
      'The commit has no `verification`; `author` and `committer` accounts are `null`.',
    ],
    sample: ({ branchWithCommit }) => branchWithCommit,
  },
  {
    endpoint: 'GET /repos/{owner}/{repo}/tags',
    summary: 'Tags, newest version first',
    query: paging,
    answer: 'Tag',
    isList: true,
    refusals: [404],
    differences: ['No `zipball_url`, `tarball_url`.', 'Tags of trees and blobs are left out.'],
    sample: ({ tag }) => [tag],
  },
]

/** The row of an endpoint. @throws Error when there is none: `npm run check` says so first. */
export function getMatrixRow(endpoint: string): MatrixRow {
  const row = matrix.find((each) => each.endpoint === endpoint)
  if (row === undefined) throw new Error(`${endpoint} has no row in compat/matrix.ts`)
  return row
}

/** What clients may look for and do not find. */
export const notImplemented: readonly string[] = [
  'The root document `GET /api/v3/`, which `gh auth` and the Jenkins check of an address read.',
  'GraphQL.',
  'Contents, commits, trees, comparisons and archives. Pages of the host have them: `/raw/`, `/commits/`, `/compare/`, `/archive/`.',
  'Changing and deleting a repository, branches and tags. The pages of the host and git do.',
  'Issues, pull requests, releases, webhooks, statuses and checks, organizations, teams, keys, notifications.',
]
