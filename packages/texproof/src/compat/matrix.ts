/**
 * What of the mirrored API exists here and how it differs, and which clients were tried. `docs/compatibility.md` is
 * written from this, and tests hold it to the route table and to the clients themselves.
 */

/** An endpoint and where its answers differ from the mirrored API's. */
export interface MatrixRow {
  /** Method and path as in the route table. */
  readonly endpoint: string
  readonly differences: readonly string[]
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

/** One row an endpoint. */
export const matrix: readonly MatrixRow[] = [
  { endpoint: 'GET /user', differences: ['`site_admin` is always `false`.'] },
  { endpoint: 'GET /users/{username}', differences: ['`site_admin` is always `false`.'] },
  {
    endpoint: 'GET /user/repos',
    differences: [
      '`affiliation=organization_member` matches nothing: there are no organizations.',
      '`sort=pushed` sorts by `updated_at`.',
      '`since` and `before` are ignored.',
    ],
  },
  {
    endpoint: 'POST /user/repos',
    differences: [
      'A name with other characters is refused with 422 and never rewritten to hyphens.',
      'Values of the wrong type are refused with 422 and never converted.',
      'A description may have 500 characters.',
      'A JSON body that is not an object answers 400 `Problems parsing JSON`.',
      'Templates are checked even without `auto_init`.',
    ],
  },
  {
    endpoint: 'GET /users/{username}/repos',
    differences: ['`type` is ignored: the list holds public repositories only, also for their owner.'],
  },
  {
    endpoint: 'GET /repos/{owner}/{repo}',
    differences: [
      'A renamed repository answers 404 under its old name; there are no redirects.',
      'One that the administrator of the host has disabled answers with `disabled: true`; its branches and tags answer 404 to all but those who administer it.',
    ],
  },
  { endpoint: 'GET /repos/{owner}/{repo}/branches', differences: ['`protected` is ignored: no branch is protected.'] },
  {
    endpoint: 'GET /repos/{owner}/{repo}/branches/{+branch}',
    differences: [
      'A missing branch answers `Not Found`.',
      'Only exact branch names are found: no tags, commit ids or expressions.',
      'The commit has no `verification`; `author` and `committer` accounts are `null`.',
    ],
  },
  {
    endpoint: 'GET /repos/{owner}/{repo}/tags',
    differences: ['No `zipball_url`, `tarball_url`.', 'Tags of trees and blobs are left out.'],
  },
]

/** What clients may look for and do not find. */
export const notImplemented: readonly string[] = [
  'The root document `GET /api/v3/`, which `gh auth` and the Jenkins check of an address read.',
  'GraphQL.',
  'Contents, commits, trees, comparisons and archives. Pages of the host have them: `/raw/`, `/commits/`, `/compare/`, `/archive/`.',
  'Changing and deleting a repository, branches and tags. The pages of the host and git do.',
  'Issues, pull requests, releases, webhooks, statuses and checks, organizations, teams, keys, notifications.',
]
