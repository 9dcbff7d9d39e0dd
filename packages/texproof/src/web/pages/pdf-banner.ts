import { html } from 'hono/html'

import type { Build } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import type { GitStore } from '../../git/types.ts'
import { buildPath, pdfPath } from '../../papers/addresses.ts'
import { countOf } from '../../papers/describe-push.ts'
import type { Paper } from '../../papers/types.ts'
import type { Html } from '../components/html.ts'
import { paperState, proofDot } from '../components/proof-state.ts'
import { timeAgo } from '../components/time-ago.ts'
import type { ResolvedRef } from '../resolve-ref.ts'

/** Commits counted at most between what is read and what is newest. */
const MAX_COUNTED = 100

export interface BannerView {
  readonly repository: Repository
  readonly ref: ResolvedRef
  readonly paper: Paper
  /** In words: `3 commits`; null when the shown PDF is of the newest commit or the distance is unknown. */
  readonly behind: string | null
}

/** How many commits lie between the shown PDF and the ref, for a person. */
export async function countCommitsBehind(
  git: GitStore,
  { repository, ref, paper }: Omit<BannerView, 'behind'>,
): Promise<string | null> {
  const shownAt = paper.shown?.build.commitId
  if (shownAt === undefined || shownAt === ref.commitId) return null
  const commits = await git.listCommits(repository.id, ref.commitId, { offset: 0, limit: MAX_COUNTED })
  if (commits === null) return null
  const count = commits.findIndex(({ commitId }) => commitId === shownAt)
  if (count !== -1) return countOf(count, 'commit')
  return commits.length === MAX_COUNTED ? `more than ${MAX_COUNTED} commits` : null
}

/** Exactly one banner: what the reader is looking at, and what stands in the way of something newer. */
export function pdfBanner(view: BannerView): Html {
  const { repository, paper } = view
  const { newest, shown } = paper
  const dot = proofDot(paperState(paper))
  const buildLink = html`<a href="${buildPath(repository, newest.number)}">build ${newest.number}</a>`
  if (shown !== null) return bannerOfShown(view, { build: shown.build, dot, buildLink })
  return isUnderWay(newest)
    ? html`<p class="banner banner-building">
        ${dot} The first PDF is on its way, ${buildLink}<span data-progress></span>.
      </p>`
    : html`<p class="banner banner-failed">
        ${dot} The newest commit does not compile, and there is no older PDF to show.
        <a href="${buildPath(repository, newest.number)}">See ${countOf(newest.errors.length, 'error')}</a>
      </p>`
}

function bannerOfShown(
  { repository, ref, paper, behind }: BannerView,
  { build, dot, buildLink }: { readonly build: Build; readonly dot: Html; readonly buildLink: Html },
): Html {
  const { newest, shown, documents, document } = paper
  const from = html`${build.commitId.slice(0, 7)}, built ${timeAgo(build.finishedAt ?? build.createdAt)}`
  const older = behind === null ? '' : html`, ${behind} older`
  switch (shown?.standing) {
    case 'building':
      return html`<p class="banner banner-building">
        ${dot} You are reading ${from}${older}. ${buildLink} is under way<span data-progress></span>.
      </p>`
    case 'older':
      return html`<p class="banner banner-failed">
        ${dot} The newest commit ${newest.commitId.slice(0, 7)} does not compile:
        <a href="${buildPath(repository, newest.number)}">see ${countOf(newest.errors.length, 'error')}</a>. You are
        reading the last good PDF, ${from}${older}.
        ${newest.pdfId === null ? '' : html`<a href="${pdfPath(repository, newest.commitId, documents.length > 1 ? document : null)}">Show the newest in spite of its errors</a>`}
      </p>`
    case 'flawed':
      return html`<p class="banner banner-failed">
        ${dot} This PDF came out with ${countOf(newest.errors.length, 'error')} (${buildLink}); parts may be missing.
        ${from}.
      </p>`
    case 'behind':
      return html`<p class="banner banner-none">
        ${dot} ${ref.name} has moved on since. You are reading ${from}${older}.
      </p>`
    default:
      return html`<p class="banner banner-${newest.warnings.length === 0 ? 'good' : 'warned'}">${dot} ${from}.</p>`
  }
}

/** Whether a build is waiting or running. */
export function isUnderWay({ state }: Build): boolean {
  return state === 'queued' || state === 'running'
}
