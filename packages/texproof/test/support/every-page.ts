import { pdfAssetRoute, pdfAssets } from '../../src/web/pdf-assets.ts'
import type { FilledSite } from './filled-site.ts'

/** One address of one kind of page. */
export interface SampledPage {
  /** As the router writes it. */
  readonly route: string
  readonly path: string
  /** Who looks; null = nobody is signed in. */
  readonly viewer: 'alice' | null
  /** Whether a person looks at it; false for files, feeds and redirects. */
  readonly isPage: boolean
}

/** At least one address of every route that is read, with content and without. */
export function everyPage({ firstCommitId, lastCommitId, shareText }: FilledSite): readonly SampledPage[] {
  const of = (route: string, path: string, viewer: SampledPage['viewer'] = 'alice'): SampledPage => {
    return { route, path, viewer, isPage: true }
  }
  const file = (route: string, path: string): SampledPage => ({ route, path, viewer: 'alice', isPage: false })
  return [
    of('/', '/'),
    of('/', '/', null),
    of('/', '/?show=starred&q=none'),
    of('/login', '/login', null),
    file('/login/second-step', '/login/second-step'),
    of('/setup', '/setup?code=unknown', null),
    of('/join', '/join', null),
    of('/forgot', '/forgot', null),
    of('/forgot/sent', '/forgot/sent', null),
    file('/reset', '/reset'),
    of('/reset', '/reset?code=unknown', null),
    of('/search', '/search?q=tide'),
    of('/search', '/search', null),
    of('/status/tex', '/status/tex', null),
    of('/status/tex', '/status/tex?package=graphicx', null),
    of('/status/tex', '/status/tex?package=grahpicx'),
    of('/docs', '/docs', null),
    of('/docs/:page', '/docs/api', null),
    of('/docs/:page', '/docs/matrix', null),
    of('/docs/:page', '/docs/compile'),
    of('/new', '/new'),
    of('/settings/profile', '/settings/profile'),
    of('/settings/tokens', '/settings/tokens'),
    of('/settings/tokens/new', '/settings/tokens/new'),
    of('/settings/sessions', '/settings/sessions'),
    of('/settings/security', '/settings/security'),
    of('/settings/security/passkeys', '/settings/security/passkeys'),
    of('/settings/security/two-factor', '/settings/security/two-factor'),
    of('/settings/appearance', '/settings/appearance'),
    of('/admin/status', '/admin/status'),
    of('/admin/users', '/admin/users'),
    of('/admin/settings', '/admin/settings'),
    of('/admin/repos', '/admin/repos'),
    of('/admin/repos', '/admin/repos?q=nothing-like-this'),
    of('/admin/repos/:owner/:repo', '/admin/repos/alice/tides'),
    of('/admin/log', '/admin/log'),
    of('/admin/log', '/admin/log?person=nobody&from=2026-01-01'),
    file('/admin/log.csv', '/admin/log.csv'),
    file('/settings', '/settings'),
    file('/admin', '/admin'),
    of('/:owner/:repo/settings', '/alice/tides/settings'),
    of('/:owner', '/alice'),
    of('/:owner', '/bob', null),
    of('/:owner', '/alice?show=stars'),
    of('/:owner', '/nobody', null),
    of('/:owner/:repo/settings/visibility', '/alice/draft/settings/visibility'),
    of('/:owner/:repo', '/alice/tides'),
    of('/:owner/:repo', '/alice/draft'),
    of('/:owner/:repo', '/alice/empty'),
    of('/:owner/:repo/tree/:rest{.+}', '/alice/tides/tree/v1/sections'),
    of('/:owner/:repo/blob/:rest{.+}', '/alice/tides/blob/main/main.tex'),
    of('/:owner/:repo/blob/:rest{.+}', '/alice/tides/blob/main/sections/intro.tex'),
    of('/:owner/:repo/blob/:rest{.+}', '/alice/tides/blob/main/README.md'),
    of('/:owner/:repo/blame/:rest{.+}', '/alice/tides/blame/main/sections/intro.tex'),
    of('/:owner/:repo/pdf/:rest{.+}', '/alice/tides/pdf/main'),
    of('/:owner/:repo/pdf/:rest{.+}', '/alice/tides/pdf/v1'),
    of('/:owner/:repo/commits', '/alice/empty/commits'),
    of('/:owner/:repo/commits/:rest{.+}', '/alice/tides/commits/main'),
    of('/:owner/:repo/commit/:commitId', `/alice/tides/commit/${firstCommitId}`),
    of('/:owner/:repo/commit/:commitId', `/alice/tides/commit/${lastCommitId}`),
    of('/:owner/:repo/branches', '/alice/tides/branches'),
    of('/:owner/:repo/tags', '/alice/tides/tags'),
    of('/:owner/:repo/tags', '/alice/empty/tags'),
    of('/:owner/:repo/builds', '/alice/tides/builds'),
    of('/:owner/:repo/builds', '/alice/empty/builds'),
    of('/:owner/:repo/builds/:number', '/alice/tides/builds/1'),
    of('/:owner/:repo/builds/:number', '/alice/tides/builds/2'),
    of('/:owner/:repo/settings/share', '/alice/tides/settings/share'),
    of('/s/:token', `/s/${shareText}`, null),
    of('/s/:token', '/s/unknown', null),
    file('/s/:token/paper.pdf', `/s/${shareText}/paper.pdf`),
    of('/:owner/:repo/branches', '/alice/tides/branches?q=none'),
    of('/:owner/:repo/branches/new', '/alice/tides/branches/new'),
    of('/:owner/:repo/branches/delete/:rest{.+}', '/alice/tides/branches/delete/feature/a'),
    file('/s/:token/picture.png', `/s/${shareText}/picture.png`),
    file('/:owner/:repo/synctex/:rest{.+}', '/alice/tides/synctex/main?path=main.tex&line=4'),
    file('/:owner/:repo/picture/:rest{.+}', '/alice/tides/picture/main.png'),
    file('/:owner/:repo/badge/:rest{.+}', '/alice/tides/badge/main.svg'),
    file('/:owner/:repo/archive/:rest{.+}', '/alice/tides/archive/v1.tar.gz'),
    file('/:owner/:repo/builds/:number/events', '/alice/tides/builds/1/events'),
    file(pdfAssetRoute, pdfAssets.library),
    file('/:owner/:repo/raw/:rest{.+}', '/alice/tides/raw/main/main.tex'),
    file('/:owner/:repo/builds/:number/logs/:pass', '/alice/tides/builds/1/logs/1'),
    file('/:owner/:repo{[^/]+\\.git}', '/alice/tides.git'),
    file('/favicon.ico', '/favicon.ico'),
    file('/robots.txt', '/robots.txt'),
    file('/assets/:file', '/assets/none'),
    file('/assets/avatars/:id', '/assets/avatars/none'),
  ]
}
