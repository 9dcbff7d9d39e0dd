/**
 * The endpoints of the GitHub API that exist here, what they return and how they differ. The route table says who may call
 * them. `docs/compatibility.md`, `docs/openapi.json` and the pages under `/docs` are generated from both, and tests
 * compare them with the route table and real responses.
 */
import type { SchemaName } from './openapi-schemas.ts'
import { paging } from './query-parameters.ts'
import type { QueryName } from './query-parameters.ts'
import type { Samples } from './samples.ts'

/** An endpoint, what it returns, and how that differs from GitHub. */
export interface MatrixRow {
  /** Method and path as in the route table. */
  readonly endpoint: string
  /** Its purpose, without a full stop. */
  readonly summary: string
  readonly query: readonly QueryName[]
  /** The request body, on routes that read one. */
  readonly body?: { readonly schema: SchemaName; readonly sample: unknown }
  /** Schema of a successful response, of its items when `isList`. */
  readonly answer: SchemaName
  readonly isList: boolean
  /** Statuses besides those that follow from the policy of the route. */
  readonly refusals: readonly number[]
  readonly differences: readonly string[]
  /** A successful response to show. */
  readonly sample: (samples: Samples) => unknown
}

/** Differences that every endpoint shares. */
export const generalDifferences: readonly string[] = [
  'All other paths and methods return 404, including `HEAD` and `OPTIONS`.',
  'User ids are strings. Clients that require numbers cannot decode users and repositories.',
  '`email` is always `null`. Commits contain `noreply@` and the host name instead of email addresses.',
  '`node_id` and fields without an equivalent are omitted.',
  'There are no rate-limit headers, no `ETag` or conditional requests, and no CORS headers.',
  'Only access tokens are accepted, as `token` or `Bearer`. Basic authentication, cookies and query parameters are not.',
  'With the setting `require_sign_in`, anonymous requests get the responses for missing users and repositories.',
]

/** One row an endpoint, in the order of the route table. */
export const matrix: readonly MatrixRow[] = [
  {
    endpoint: 'GET /user',
    summary: 'The owner of the token',
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
    summary: 'Repositories of the caller, owned or shared',
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
    summary: 'Create a repository',
    query: [],
    body: { schema: 'NewRepository', sample: { name: 'waves', auto_init: true, gitignore_template: 'TeX' } },
    answer: 'RepositoryWithPermissions',
    isList: false,
    refusals: [422],
    differences: [
      'A name with invalid characters returns 422; the characters are not replaced by hyphens.',
      'A value of the wrong type returns 422; it is not converted.',
      'A description has at most 500 characters.',
      'A JSON body that is not an object returns 400 `Problems parsing JSON`.',
      'Template names are validated even without `auto_init`.',
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
    differences: ['`type` is ignored: only public repositories are listed, even for their owner.'],
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
      'A renamed repository returns 404 under its old name; there are no redirects.',
      'A repository that an administrator disabled has `disabled: true`; its branches and tags return 404, except to its owner and collaborators with admin access.',
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
      'A missing branch returns `Not Found`.',
      'Only exact branch names are accepted: no tags, commit ids or expressions.',
      'The commit has no `verification`; `author` and `committer` accounts are `null`.',
      'A branch whose commit object is larger than 1 MB returns 404.',
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
    differences: ['`zipball_url` and `tarball_url` are omitted.', 'Tags of trees and blobs are omitted.'],
    sample: ({ tag }) => [tag],
  },
]

/** The row of an endpoint. @throws Error if there is none; `npm run check` reports it first. */
export function getMatrixRow(endpoint: string): MatrixRow {
  const row = matrix.find((each) => each.endpoint === endpoint)
  if (row === undefined) throw new Error(`${endpoint} has no row in compat/matrix.ts`)
  return row
}

/** Parts of the GitHub API that do not exist here. */
export const notImplemented: readonly string[] = [
  'The root document `GET /api/v3/`, which `gh auth` and Jenkins read.',
  'GraphQL.',
  'Contents, commits, trees, comparisons and archives. Use git or the pages `/raw/`, `/commits/`, `/compare/` and `/archive/`.',
  'Changing and deleting repositories, branches and tags. Use git or the pages of the repository.',
  'Issues, pull requests, releases, statuses and checks, organizations, teams, keys and notifications.',
  'Webhooks. Add them in the settings of a repository.',
]
