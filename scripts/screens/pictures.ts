import type { ZipEntry } from '../../packages/texproof/test/support/make-zip.ts'

/** The screenshots of `npm run screens`, in the order of the gallery. */
export interface Picture {
  readonly name: string
  /** May contain placeholders for the places of a host. */
  readonly path: string
  /** Text for form fields by their `name`, entered before `press`. */
  readonly fill?: Readonly<Record<string, string>>
  /** The files of an archive for the field of that name, uploaded before `press`. */
  readonly archive?: readonly ZipEntry[]
  /** The button to press; the screenshot shows the response. */
  readonly press?: string
}

const importedPaper: readonly ZipEntry[] = [
  {
    name: 'paper/main.tex',
    data: '\\documentclass{article}\n\\usepackage{nosuchpackage}\n\\begin{document}\nTides.\n\\end{document}\n',
  },
  { name: 'paper/letter.tex', data: '\\documentclass{letter}\n\\begin{document}\nDear Bob.\n\\end{document}\n' },
  { name: 'paper/references.bib', data: '@book{waves, title = {Waves}}\n' },
  { name: 'paper/main.log', data: '' },
  { name: '__MACOSX/paper/._main.tex', data: '' },
]

/** A new host without an administrator. */
export const beforeSetUp: readonly Picture[] = [
  { name: 'setup', path: '/setup?code={setup}' },
  { name: 'home-empty', path: '/' },
]

/** Pages of the host after set-up, with open registration, anonymous. */
export const ofRegistration: readonly Picture[] = [
  { name: 'join', path: '/join' },
  {
    name: 'join-refused',
    path: '/join',
    fill: { login: 'a_b', email: 'alice@uni.example', password: 'short' },
    press: 'Create account',
  },
]

/** Pages of the host for its first author, without repositories. */
export const ofFirstAuthor: readonly Picture[] = [
  { name: 'papers-empty', path: '/' },
  { name: 'profile-empty', path: '/alice' },
  { name: 'search-empty', path: '/search?q=tide' },
  { name: 'settings-tokens-empty', path: '/settings/tokens' },
  { name: 'trash-empty', path: '/settings/trash' },
  { name: 'admin-status-new', path: '/admin/status' },
  { name: 'admin-builds-empty', path: '/admin/builds' },
]

/** Pages of the host with one empty repository, alice/empty. */
export const ofEmptyRepository: readonly Picture[] = [
  { name: 'repository-empty', path: '/alice/empty' },
  { name: 'commits-empty', path: '/alice/empty/commits' },
  { name: 'branches-empty', path: '/alice/empty/branches' },
  { name: 'tags-empty', path: '/alice/empty/tags' },
  { name: 'builds-empty', path: '/alice/empty/builds' },
  { name: 'share-empty', path: '/alice/empty/settings/share' },
]

/** The demo host, anonymous. */
export const ofAnonymous: readonly Picture[] = [
  { name: 'home', path: '/' },
  { name: 'sign-in', path: '/login' },
  {
    name: 'sign-in-refused',
    path: '/login',
    fill: { name: 'bob', password: 'not the password' },
    press: 'Sign in',
  },
  { name: 'forgot', path: '/forgot' },
  { name: 'reset', path: '{reset}' },
  { name: 'join-closed', path: '/join' },
  { name: 'missing', path: '/alice/private-draft' },
  { name: 'profile', path: '/alice' },
  { name: 'pdf-shared', path: '{share}' },
  { name: 'pdf-shared-missing', path: '/s/unknown' },
  { name: 'docs', path: '/docs' },
  { name: 'docs-api', path: '/docs/api' },
  { name: 'docs-compile', path: '/docs/compile' },
  { name: 'docs-matrix', path: '/docs/matrix' },
  { name: 'docs-webhooks', path: '/docs/webhooks' },
  { name: 'docs-settings', path: '/docs/settings' },
  { name: 'docs-errors', path: '/docs/errors' },
  { name: 'docs-error', path: '/docs/errors/undefined-command' },
  { name: 'tex', path: '/status/tex?package=sinuitx' },
]

/** The demo host for alice, the administrator, who owns most repositories. */
export const ofAlice: readonly Picture[] = [
  { name: 'papers', path: '/' },
  { name: 'search', path: '/search?q=tide' },
  { name: 'search-files', path: '/search?q=tide&in=files' },
  { name: 'search-without-result', path: '/search?q=nowhere' },
  { name: 'repository', path: '/alice/tides' },
  { name: 'repository-documents', path: '/bob/sheets' },
  { name: 'repository-failed', path: '/alice/error-zoo/tree/undefined-command' },
  { name: 'repository-without-paper', path: '/alice/code-only' },
  { name: 'repository-archived', path: '/alice/old-paper' },
  { name: 'repository-disabled', path: '/alice/withdrawn' },
  { name: 'file', path: '/alice/tides/blob/main/sections/model.tex' },
  { name: 'file-problem', path: '/alice/error-zoo/blob/undefined-command/main.tex' },
  { name: 'file-values', path: '/alice/tides/blob/main/data/gauges.csv' },
  { name: 'file-prose', path: '/alice/tides/blob/main/README.md' },
  { name: 'file-notebook', path: '/alice/tides/blob/main/analysis.ipynb' },
  { name: 'file-bibliography', path: '/alice/tides/blob/main/references.bib' },
  { name: 'file-missing', path: '/alice/tides/blob/mian/main.tex' },
  { name: 'folder', path: '/alice/tides/tree/main/sections' },
  { name: 'edit', path: '/alice/error-zoo/edit/undefined-command/main.tex?line=5' },
  { name: 'editor', path: '/alice/thesis/edit/main/chapters/forces.tex?line=7' },
  { name: 'add-files', path: '/alice/tides/new/main/sections' },
  { name: 'delete-file', path: '/alice/tides/delete/main/README.md' },
  { name: 'move', path: '/alice/tides/move/main/sections/model.tex' },
  { name: 'blame', path: '/alice/tides/blame/main/sections/model.tex' },
  { name: 'history', path: '/alice/tides/commits/main/main.tex' },
  { name: 'find', path: '/alice/tides/find/main?q=sec' },
  { name: 'repository-search', path: '/alice/tides/search?q=tide' },
  { name: 'commits', path: '/alice/tides/commits/main' },
  { name: 'commit', path: '/alice/tides/commit/{head}' },
  { name: 'commit-split', path: '/alice/tides/commit/{head}?view=split' },
  { name: 'revert', path: '/alice/tides/revert/{head}' },
  { name: 'restore', path: '/alice/tides/restore/{head}?branch=referee-2' },
  { name: 'compare', path: '/alice/tides/compare/v1...main' },
  { name: 'branches', path: '/alice/error-zoo/branches' },
  { name: 'new-branch', path: '/alice/tides/branches/new' },
  { name: 'delete-branch', path: '/alice/tides/branches/delete/referee-2' },
  { name: 'tags', path: '/alice/tides/tags' },
  { name: 'new-tag', path: '/alice/tides/tags/new?from=main' },
  { name: 'pdf', path: '/alice/tides/pdf/main' },
  { name: 'pdf-failed', path: '/alice/error-zoo/pdf/unfinished-list' },
  { name: 'word-count', path: '/alice/tides/words/main' },
  { name: 'export', path: '/alice/tides/export/main?for=arxiv' },
  { name: 'export-package', path: '{package}' },
  { name: 'builds', path: '/alice/error-zoo/builds' },
  { name: 'build', path: '/alice/thesis/builds/1' },
  { name: 'new-repository', path: '/new' },
  { name: 'new-repository-refused', path: '/new', fill: { name: 'tides' }, press: 'Create repository' },
  { name: 'import', path: '/import' },
  { name: 'import-content', path: '/import', archive: importedPaper, press: 'Upload' },
  { name: 'import-git', path: '/import/git' },
  { name: 'mirror', path: '{mirror}' },
  { name: 'repository-settings', path: '/alice/tides/settings' },
  { name: 'visibility', path: '/alice/private-draft/settings/visibility' },
  { name: 'build-settings', path: '/alice/tides/build-settings/main' },
  { name: 'people', path: '/alice/tides/people' },
  { name: 'transfer', path: '/alice/tides/settings/transfer' },
  { name: 'webhooks', path: '/alice/tides/settings/webhooks' },
  { name: 'new-webhook', path: '/alice/tides/settings/webhooks/new' },
  { name: 'webhook', path: '{webhook}' },
  { name: 'webhook-delivery', path: '{delivery}' },
  { name: 'trash', path: '/settings/trash' },
  { name: 'share', path: '/alice/tides/settings/share' },
  { name: 'settings-profile', path: '/settings/profile' },
  { name: 'settings-tokens', path: '/settings/tokens' },
  { name: 'settings-new-token', path: '/settings/tokens/new?name=laptop' },
  { name: 'settings-made-token', path: '/settings/tokens/new?name=this+picture&expires=90', press: 'Create token' },
  { name: 'settings-sessions', path: '/settings/sessions' },
  { name: 'settings-security', path: '/settings/security' },
  { name: 'settings-two-factor', path: '/settings/security/two-factor' },
  { name: 'settings-passkeys', path: '/settings/security/passkeys' },
  { name: 'settings-usage', path: '/settings/usage' },
  { name: 'settings-appearance', path: '/settings/appearance' },
  { name: 'docs-api-token', path: '/docs/api', press: 'Create a read-only token for one hour' },
  { name: 'admin-status', path: '/admin/status' },
  { name: 'admin-demo', path: '/admin/demo' },
  { name: 'admin-demo-remove', path: '/admin/demo/remove' },
  { name: 'admin-users', path: '/admin/users' },
  { name: 'admin-quota', path: '/admin/users/alice/quota' },
  { name: 'admin-repositories', path: '/admin/repos' },
  { name: 'admin-repository', path: '/admin/repos/alice/tides' },
  { name: 'admin-builds', path: '/admin/builds' },
  { name: 'admin-settings', path: '/admin/settings' },
  { name: 'admin-log', path: '/admin/log' },
]

/** All screenshots, in the order of the gallery. */
export const allPictures: readonly Picture[] = [
  ...beforeSetUp,
  ...ofRegistration,
  ...ofFirstAuthor,
  ...ofEmptyRepository,
  ...ofAnonymous,
  ...ofAlice,
]
