/** A client of the mirrored API and how far it gets here. */
export interface ClientRow {
  readonly name: string
  /** The head of its column where there is little room. */
  readonly shortName: string
  /** The version that was tried; null = not run. */
  readonly version: string | null
  /** How to point it here; `BASE` stands for the public address. */
  readonly setup: string
  readonly works: string
  readonly fails: string
  /** Endpoints whose answers it cannot read. */
  readonly unreadable: readonly string[]
  /** Test that runs it through every endpoint, below `packages/texproof/test/api/clients`; null for one that cannot work. */
  readonly test: string | null
}

/** What the test of each client calls, over all pages: the tour of `packages/texproof/test/support/client-tour.ts`. */
export const touredEndpoints: readonly string[] = [
  'GET /user',
  'GET /users/{username}',
  'GET /user/repos',
  'POST /user/repos',
  'GET /users/{username}/repos',
  'GET /repos/{owner}/{repo}',
  'GET /repos/{owner}/{repo}/branches',
  'GET /repos/{owner}/{repo}/branches/{+branch}',
  'GET /repos/{owner}/{repo}/tags',
]

/** Every client that was looked at. */
export const clients: readonly ClientRow[] = [
  {
    name: 'octokit.js (`@octokit/rest`)',
    shortName: 'octokit.js',
    unreadable: [],
    version: '22.0.1',
    setup: '`new Octokit({ auth, baseUrl: "BASE/api/v3" })`',
    works: 'what is ticked above, `paginate`, typed errors',
    fails: 'GraphQL',
    test: 'octokit.test.ts',
  },
  {
    name: 'PyGithub',
    shortName: 'PyGithub',
    unreadable: [],
    version: '1.55',
    setup: '`Github(token, base_url="BASE/api/v3")`',
    works: 'what is ticked above, paginated lists, typed exceptions',
    fails: '`user.id` raises, since it expects a number; this version does not quote `#` in branch names',
    test: 'pygithub.test.ts',
  },
  {
    name: 'octokit.rb',
    shortName: 'octokit.rb',
    unreadable: [],
    version: '4.20.0',
    setup: '`Octokit::Client.new(access_token:, api_endpoint: "BASE/api/v3/")`',
    works: 'what is ticked above, `auto_paginate`, typed errors',
    fails: 'GraphQL',
    test: 'octokit-rb.test.ts',
  },
  {
    name: 'GitHub CLI (`gh`)',
    shortName: 'gh api',
    unreadable: [],
    version: '2.23.0',
    setup: '`GH_HOST=host GH_ENTERPRISE_TOKEN=pst_… gh api user`, over TLS with a certificate that the system trusts',
    works: '`gh api` with what is ticked above, `--paginate`',
    fails: '`gh auth login` and `gh auth status` (they read the root document), `gh repo list|view|clone` (GraphQL)',
    test: 'gh.test.ts',
  },
  {
    name: 'curl',
    shortName: 'curl',
    unreadable: [],
    version: '7.88.1',
    setup: '`curl -H "Authorization: Bearer pst_…" BASE/api/v3/user`',
    works: 'what is ticked above',
    fails: '',
    test: 'curl.test.ts',
  },
  {
    name: 'go-github, and the Terraform provider and Argo CD generator built on it',
    shortName: 'go-github',
    unreadable: [
      'GET /user',
      'GET /users/{username}',
      'GET /user/repos',
      'POST /user/repos',
      'GET /users/{username}/repos',
      'GET /repos/{owner}/{repo}',
    ],
    version: null,
    setup: '',
    works: 'branches, tags, errors',
    fails: 'users and repositories: it decodes user ids as 64-bit integers, and here they are strings',
    test: null,
  },
  {
    name: 'Renovate with `platform=github`',
    shortName: 'Renovate',
    unreadable: [],
    version: null,
    setup: '',
    works: '',
    fails: 'everything: it needs GraphQL',
    test: null,
  },
  {
    name: 'Jenkins GitHub branch source',
    shortName: 'Jenkins',
    unreadable: [],
    version: null,
    setup: '',
    works: '',
    fails: 'its check of the address reads the root document, and its scan reads contents and pull requests',
    test: null,
  },
]
