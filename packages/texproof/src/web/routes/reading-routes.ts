import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../deps.ts'
import type { RequestLimits } from '../access/limit-requests.ts'
import { sendPassLog, showBuild } from '../pages/build.ts'
import { sendRaw } from '../pages/raw.ts'
import { showBlame } from '../pages/blame.ts'
import { showBlob } from '../pages/blob.ts'
import { showBranches } from '../pages/branches.ts'
import { showTags } from '../pages/tags.ts'
import { showBuilds } from '../pages/builds.ts'
import { showCommit } from '../pages/commit.ts'
import { showCommits } from '../pages/commits.ts'
import { chooseComparison, showComparison } from '../pages/compare.ts'
import { showFileFinder } from '../pages/find-file.ts'
import { showHome } from '../pages/home.ts'
import { showPdf } from '../pages/pdf.ts'
import { showProfile } from '../pages/profile.ts'
import { showRepositorySearch } from '../pages/repository-search.ts'
import { showRepositoryHome } from '../pages/repository-home.ts'
import { showTree } from '../pages/folder.ts'

type Handler = (c: Context, deps: Deps) => Promise<Response>

/** Of the rest of an address not a letter is left out: names of files may go over lines. */
const ROUTES: readonly (readonly [path: string, handler: Handler])[] = [
  ['/', showHome],
  ['/:owner', showProfile],
  ['/:owner/:repo', showRepositoryHome],
  ['/:owner/:repo/tree/:rest{[^]+}', showTree],
  ['/:owner/:repo/blob/:rest{[^]+}', showBlob],
  ['/:owner/:repo/blame/:rest{[^]+}', showBlame],
  ['/:owner/:repo/pdf/:rest{[^]+}', showPdf],
  ['/:owner/:repo/commits', showCommits],
  ['/:owner/:repo/commits/:rest{[^]+}', showCommits],
  ['/:owner/:repo/commit/:commitId', showCommit],
  ['/:owner/:repo/compare', chooseComparison],
  ['/:owner/:repo/compare/:range{[^]+}', showComparison],
  ['/:owner/:repo/find/:rest{[^]+}', showFileFinder],
  ['/:owner/:repo/search', showRepositorySearch],
  ['/:owner/:repo/branches', showBranches],
  ['/:owner/:repo/tags', showTags],
  ['/:owner/:repo/builds', showBuilds],
  ['/:owner/:repo/builds/:number', showBuild],
  ['/:owner/:repo/builds/:number/logs/:pass', sendPassLog],
]

/** The pages that read a repository. */
export function addReadingRoutes<E extends Env>(app: Hono<E>, deps: Deps & { readonly limits: RequestLimits }): void {
  for (const [path, handler] of ROUTES) app.get(path, (c: Context) => handler(c, deps))
  app.get('/:owner/:repo/raw/:rest{[^]+}', (c: Context) => sendRaw(c, deps))
}
