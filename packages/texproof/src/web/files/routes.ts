import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import type { RequestLimits } from '../session/limit-requests.ts'
import { sendPassLog, showBuild } from '../builds/build.ts'
import { sendRaw } from './raw.ts'
import { showBlame } from '../history/blame.ts'
import { showBlob } from './blob.ts'
import { showBranches } from '../repository/branches.ts'
import { showTags } from '../repository/tags.ts'
import { showBuilds } from '../builds/builds.ts'
import { showCommit } from '../history/commit.ts'
import { showCommits } from '../history/commits.ts'
import { chooseComparison, showComparison } from '../history/compare.ts'
import { showFileFinder } from '../search/find-file.ts'
import { showHome } from '../home/home.ts'
import { showPdf } from '../pdf/pdf.ts'
import { showProfile } from '../home/profile.ts'
import { showRepositorySearch } from '../search/repository-search.ts'
import { showRepositoryHome } from './repository-home.ts'
import { showTree } from './folder.ts'

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
