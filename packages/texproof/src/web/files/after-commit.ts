import { html } from 'hono/html'

import { isInProgress } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import { buildPath, pdfPath } from '../../domain/page-urls.ts'
import type { Paper } from '../../papers/types.ts'
import type { ResolvedRef } from '../shell/repository/resolve-ref.ts'
import type { Html } from '../ui/html.ts'
import { paperState, proofDot } from '../ui/document/proof-state.ts'

/** How an edit ended, in the address of the next page. */
export type AfterCommit = 'commit' | 'joined' | 'kept'

const WORDS: Readonly<Record<AfterCommit, string>> = {
  commit: 'Committed to',
  joined: 'Committed, merged with changes that others pushed meanwhile, to',
  kept: 'Nothing to commit: the file already has this content on',
}

/** Reads `?after=commit`; null for a page that follows no edit. */
export function parseAfterCommit(text: string | undefined): AfterCommit | null {
  return text === 'commit' || text === 'joined' || text === 'kept' ? text : null
}

/** The result of the commit just made, and the status of its PDF. */
export function afterCommit(
  after: AfterCommit,
  {
    repository,
    ref,
    paper,
  }: { readonly repository: Repository; readonly ref: ResolvedRef; readonly paper: Paper | null },
): Html {
  const isBuilt = paper?.newest.commitId === ref.commitId
  return html`<p class="banner banner-${isBuilt ? paperState(paper).tone : 'none'}" role="status">
    ${WORDS[after]} <code>${ref.name}</code>. ${isBuilt ? pdfOfCommit(paper, repository, ref.name) : ''}
  </p>`
}

function pdfOfCommit(paper: Paper, repository: Repository, refName: string): Html {
  const { number } = paper.newest
  const isBuilding = isInProgress(paper.newest)
  return html`${proofDot(paperState(paper))}
    <a href="${pdfPath(repository, refName, null)}">${isBuilding ? 'The PDF is being built' : 'Read the PDF'}</a>
    ${isBuilding ? html`<span class="quiet" data-build-events="${buildPath(repository, number)}/events"></span>` : ''}`
}
