import { html } from 'hono/html'

import { isInProgress } from '../../domain/build.ts'
import type { Build } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import type { GitStore } from '../../git/types.ts'
import { buildPath, pdfPath } from '../../domain/page-urls.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import type { Paper } from '../../papers/types.ts'
import type { Html } from '../ui/html.ts'
import { buildStatus, paperStatus, statusDot, type DocumentStatus } from '../ui/document/document-status.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import { isBehind } from '../shell/repository/find-obstacle.ts'
import type { ResolvedRef } from '../shell/repository/resolve-ref.ts'

export interface BannerView {
  readonly repository: Repository
  readonly ref: ResolvedRef
  readonly paper: Paper
  readonly distances: BannerDistances
}

/** Distances as text, `3 commits`; null if there is none or it is unknown. */
export interface BannerDistances {
  /** Distance from the shown PDF to the commit that the ref points to. */
  readonly behind: string | null
  /** Distance from a tag or commit to the head of the default branch. */
  readonly newer: string | null
}

/** Measures how old the shown PDF is. */
export async function measureDistances(
  git: GitStore,
  { repository, ref, paper }: Omit<BannerView, 'distances'>,
): Promise<BannerDistances> {
  const shownAt = paper.shown?.build.commitId ?? ref.commitId
  const head = ref.kind === 'branch' ? null : await git.findBranch(repository.id, repository.defaultBranch)
  const [behind, newer] = await Promise.all([
    countCommits(git, repository.id, { from: shownAt, to: ref.commitId }),
    head === null ? null : countCommits(git, repository.id, { from: ref.commitId, to: head.commitId }),
  ])
  return { behind, newer }
}

/** The commits of `to` that are not in `from`; null if `from` is not part of its history. */
async function countCommits(
  git: GitStore,
  repositoryId: number,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<string | null> {
  const distance = await git.countDistance(repositoryId, { baseId: from, commitId: to })
  return distance === null || distance.ahead === 0 || distance.behind > 0 ? null : countOf(distance.ahead, 'commit')
}

/** Exactly one banner: the status of the shown PDF, and what prevents a newer one. */
export function pdfBanner(view: BannerView): Html {
  const { repository, paper } = view
  const { newest, shown } = paper
  const dot = statusDot(displayedStatus(view))
  const linkTo = (word: 'build' | 'Build'): Html =>
    html`<a href="${buildPath(repository, newest.number)}">${word} ${newest.number}</a>`
  if (shown !== null) return bannerOfShown(view, { build: shown.build, dot, linkTo })
  return isInProgress(newest)
    ? html`<p class="banner banner-building">
        ${dot} The first PDF is being built: ${linkTo('build')}<span data-progress></span>.
      </p>`
    : bannerWithoutPdf(view, { dot, linkTo })
}

interface BannerParts {
  readonly dot: Html
  /** Link to the newest build; capitalized at the beginning of a sentence. */
  readonly linkTo: (word: 'build' | 'Build') => Html
}

function bannerWithoutPdf({ repository, ref, paper }: BannerView, { dot, linkTo }: BannerParts): Html {
  const { newest } = paper
  const version = ref.kind === 'branch' ? 'The newest commit' : 'This version'
  if (newest.state === 'cancelled')
    return html`<p class="banner banner-none">${dot} ${linkTo('Build')} was cancelled, and there is no earlier PDF.</p>`
  return html`<p class="banner banner-failed">
    ${dot}
    ${isBehind({ ref, paper }) ? html`${ref.name} has newer commits. Commit ${newest.commitId.slice(0, 7)}` : version}
    failed to build, and there is no earlier PDF.
    <a href="${buildPath(repository, newest.number)}">Show ${countOf(newest.errors.length, 'error')}</a>
  </p>`
}

/** The status of the shown PDF. Only a branch can be out of date. */
export function displayedStatus({ ref, paper }: Pick<BannerView, 'ref' | 'paper'>): DocumentStatus {
  const { shown } = paper
  return ref.kind !== 'branch' && shown?.status === 'current' ? buildStatus(shown.build) : paperStatus(paper)
}

function bannerOfShown(
  { repository, ref, paper, distances }: BannerView,
  { build, dot, linkTo }: BannerParts & { readonly build: Build },
): Html {
  const { newest, shown, documents, document } = paper
  const from = html`commit ${build.commitId.slice(0, 7)}, built ${timeAgo(build.finishedAt ?? build.createdAt)}`
  const doc = documents.length > 1 ? document : null
  const older = distances.behind === null ? '' : html` (${distances.behind} behind)`
  switch (shown?.status) {
    case 'building':
      if (build.id === newest.id) {
        return html`<p class="banner banner-building">
          ${dot} Showing commit ${build.commitId.slice(0, 7)}. ${linkTo('Build')} is still resolving references<span
            data-progress
          ></span
          >.
        </p>`
      }
      return html`<p class="banner banner-building">
        ${dot} Showing ${from}${older}. ${linkTo('Build')} is running<span data-progress></span>.
      </p>`
    case 'older':
      if (newest.state === 'cancelled')
        return html`<p class="banner banner-none">
          ${dot} ${linkTo('Build')} was cancelled. Showing the last good PDF: ${from}${older}.
        </p>`
      return html`<p class="banner banner-failed">
        ${dot} Commit ${newest.commitId.slice(0, 7)}
        ${newest.pdfId === null ? 'failed to build' : 'was built with errors'}. Showing the last good PDF:
        ${from}${older}.
        <a href="${buildPath(repository, newest.number)}">Show ${countOf(newest.errors.length, 'error')}</a>
        ${newest.pdfId === null ? '' : html`<a href="${pdfPath(repository, newest.commitId, doc)}">Show the PDF with errors</a>`}
      </p>`
    case 'flawed':
      return html`<p class="banner banner-failed">
        ${dot} This PDF was built with ${countOf(newest.errors.length, 'error')} (${linkTo('build')}). Parts may be
        missing. It shows ${from}.
      </p>`
    case 'behind':
      return html`<p class="banner banner-none">
        ${dot} <bdi>${ref.name}</bdi> has newer commits. Showing ${from}${older}.
      </p>`
    default:
      return html`<p class="banner banner-${newest.warnings.length === 0 ? 'good' : 'warned'}">
        ${dot} Showing ${from}.
        ${distances.newer === null ? '' : html`A newer version exists: <a href="${pdfPath(repository, repository.defaultBranch, doc)}">${repository.defaultBranch}</a>, ${distances.newer} ahead.`}
      </p>`
  }
}

/** Whether the newest build was refused before it started, and may be requested again. */
export function isBuildRefused({ newest }: Paper): boolean {
  return newest.state === 'failed' && newest.startedAt === null && newest.pdfId === null
}

/** Whether the PDF of the newest build is no longer stored. */
export function isPdfLost({ newest, shown }: Paper): boolean {
  return shown === null && !isInProgress(newest) && newest.pdfId !== null
}
