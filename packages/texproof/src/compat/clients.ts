/** A client of the GitHub API and its compatibility with this one. */
export interface ClientRow {
  readonly name: string
  /** Short column heading. */
  readonly shortName: string
  /** Tested versions; null = not tested. */
  readonly versions: string | null
  readonly result: 'works' | 'works in part' | 'does not work'
  /** How to connect it; `BASE` is the public address. */
  readonly setup: string
  /** Features that do not work, and the reason. */
  readonly limitations: string
  /** Endpoints whose responses it cannot decode. */
  readonly unreadable: readonly string[]
  /** The test that calls every endpoint with it, below `packages/texproof/test/api/clients`; null for the other clients. */
  readonly test: string | null
}

/** The endpoints that the test of each client calls, over all pages of results: see `packages/texproof/test/support/client-tour.ts`. */
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

/** The clients examined, working ones first. */
export const clients: readonly ClientRow[] = [
  {
    name: 'octokit.js (`@octokit/rest`)',
    shortName: 'octokit.js',
    versions: '22.0.1',
    result: 'works',
    setup: '`new Octokit({ auth, baseUrl: "BASE/api/v3" })`',
    limitations: 'No GraphQL.',
    unreadable: [],
    test: 'octokit.test.ts',
  },
  {
    name: 'octokit.rb',
    shortName: 'octokit.rb',
    versions: '4.20.0',
    result: 'works',
    setup: '`Octokit::Client.new(access_token:, api_endpoint: "BASE/api/v3/")`',
    limitations: 'No GraphQL.',
    unreadable: [],
    test: 'octokit-rb.test.ts',
  },
  {
    name: 'PyGithub',
    shortName: 'PyGithub',
    versions: '1.55, 2.10',
    result: 'works',
    setup: '`Github(token, base_url="BASE/api/v3")`',
    limitations:
      '`user.id` raises an exception, because PyGithub expects a number. Version 1.55 does not escape `#` in branch names.',
    unreadable: [],
    test: 'pygithub.test.ts',
  },
  {
    name: 'curl',
    shortName: 'curl',
    versions: '7.88.1',
    result: 'works',
    setup: '`curl -H "Authorization: Bearer pst_…" BASE/api/v3/user`',
    limitations: '',
    unreadable: [],
    test: 'curl.test.ts',
  },
  {
    name: 'Net::GitHub (Perl)',
    shortName: 'Net::GitHub',
    versions: '1.05',
    result: 'works',
    setup: '`Net::GitHub->new(access_token => $token, api_url => "BASE/api/v3")`',
    limitations: '',
    unreadable: [],
    test: null,
  },
  {
    name: 'hub',
    shortName: 'hub',
    versions: '2.14',
    result: 'works',
    setup: '`GITHUB_HOST=host GITHUB_TOKEN=pst_… hub api user`',
    limitations: 'Uses HTTPS by default.',
    unreadable: [],
    test: null,
  },
  {
    name: 'gidgethub (Python)',
    shortName: 'gidgethub',
    versions: '6',
    result: 'works',
    setup: '`GitHubAPI(session, name, oauth_token=token, base_url="BASE/api/v3")`',
    limitations: '',
    unreadable: [],
    test: null,
  },
  {
    name: 'ghapi (Python)',
    shortName: 'ghapi',
    versions: '2.1',
    result: 'works',
    setup: '`GhApi(token=token, gh_host="BASE/api/v3")`',
    limitations: '',
    unreadable: [],
    test: null,
  },
  {
    name: 'GitHub CLI (`gh`)',
    shortName: 'gh api',
    versions: '2.23.0',
    result: 'works in part',
    setup: '`GH_HOST=host GH_ENTERPRISE_TOKEN=pst_… gh api user`',
    limitations:
      '`gh api` works, with `--paginate`. `gh auth login` and `gh auth status` read the root document; `gh repo list`, `view` and `clone` use GraphQL. `gh` requires HTTPS with a certificate that the system trusts.',
    unreadable: [],
    test: 'gh.test.ts',
  },
  {
    name: 'hub4j github-api (Java)',
    shortName: 'hub4j',
    versions: '1.321',
    result: 'works in part',
    setup: '`new GitHubBuilder() .withEndpoint("BASE/api/v3") .withOAuthToken(token) .build()`',
    limitations: '`checkApiUrlValidity()` fails, because it reads the root document.',
    unreadable: [],
    test: null,
  },
  {
    name: 'go-github, and the Terraform provider and Argo CD generator that use it',
    shortName: 'go-github',
    versions: '48, 66',
    result: 'does not work',
    setup: '',
    limitations:
      'Cannot decode users and repositories: it requires numeric user ids, and ids are strings here. Branches, tags and errors can be decoded.',
    unreadable: [
      'GET /user',
      'GET /users/{username}',
      'GET /user/repos',
      'POST /user/repos',
      'GET /users/{username}/repos',
      'GET /repos/{owner}/{repo}',
    ],
    test: null,
  },
  {
    name: 'github3.py (Python)',
    shortName: 'github3.py',
    versions: '4',
    result: 'does not work',
    setup: '',
    limitations: 'Its models require fields that this API omits.',
    unreadable: [],
    test: null,
  },
  {
    name: 'githubkit (Python)',
    shortName: 'githubkit',
    versions: '0.15',
    result: 'does not work',
    setup: '',
    limitations: 'Its models require fields that this API omits.',
    unreadable: [],
    test: null,
  },
  {
    name: 'Renovate with `platform=github`',
    shortName: 'Renovate',
    versions: null,
    result: 'does not work',
    setup: '',
    limitations: 'Requires GraphQL.',
    unreadable: [],
    test: null,
  },
  {
    name: 'Jenkins GitHub branch source',
    shortName: 'Jenkins',
    versions: null,
    result: 'does not work',
    setup: '',
    limitations: 'Reads the root document to check the address, and contents and pull requests to scan repositories.',
    unreadable: [],
    test: null,
  },
]
