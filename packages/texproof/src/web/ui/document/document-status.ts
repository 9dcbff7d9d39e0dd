import { html } from 'hono/html'

import { failureStatus, isInProgress } from '../../../domain/build.ts'
import type { BuildSummary } from '../../../domain/build.ts'
import type { Paper } from '../../../papers/types.ts'
import type { Html } from '../html.ts'
import { symbol } from '../symbol.ts'

/** The status of a document, as a dot with its own shape and a word, never by color alone. */
export interface DocumentStatus {
  readonly tone: 'good' | 'warned' | 'failed' | 'building' | 'none'
  readonly dot: string
  readonly text: string
}

/** The status of a document of a ref; null = never built. */
export function paperStatus(paper: Paper | null): DocumentStatus {
  if (paper === null) return { tone: 'none', dot: '○', text: 'not built' }
  const { newest, shown } = paper
  if (isInProgress(newest)) return { tone: 'building', dot: '◌', text: 'building' }
  if (shown === null) return buildStatus(newest)
  switch (shown.status) {
    case 'current':
      return newest.warnings.length === 0
        ? { tone: 'good', dot: '●', text: 'up to date' }
        : { tone: 'warned', dot: '◐', text: 'up to date' }
    // The status is the status of the newest build, whichever PDF is shown.
    case 'flawed':
    case 'older':
      return buildStatus(newest)
    case 'building':
      return { tone: 'building', dot: '◌', text: 'building' }
    case 'behind':
      return { tone: 'none', dot: '○', text: 'out of date' }
  }
}

/** The status of all documents of a ref in one dot: the worst one counts. */
export function papersStatus(paper: Paper | null): DocumentStatus {
  if (paper === null || paper.documents.length < 2 || paper.shown?.status === 'behind') return paperStatus(paper)
  return documentsStatus(paper.documents)
}

/** The status of the documents of one commit in one dot; without documents, not built. */
export function documentsStatus(builds: readonly Omit<BuildSummary, 'commitId' | 'document'>[]): DocumentStatus {
  const states = builds.map(buildStatus)
  const [first] = states
  if (first === undefined) return { tone: 'none', dot: '○', text: 'not built' }
  if (states.length === 1) return first
  const good = states.filter(({ tone }) => tone === 'good' || tone === 'warned').length
  const worst = SEVERITY.flatMap((tone) => states.find((state) => state.tone === tone) ?? [])[0] ?? first
  return { ...worst, text: `${good} of ${states.length} up to date` }
}

const SEVERITY: readonly DocumentStatus['tone'][] = ['failed', 'building', 'none', 'warned', 'good']

/** The status of one build. */
export function buildStatus({
  state,
  warningCount,
  pdfId,
}: Omit<BuildSummary, 'commitId' | 'document'>): DocumentStatus {
  switch (state) {
    case 'succeeded':
      return warningCount === 0
        ? { tone: 'good', dot: '●', text: 'built' }
        : { tone: 'warned', dot: '◐', text: 'built' }
    case 'failed':
      return { tone: 'failed', dot: '✕', text: failureStatus({ pdfId }) }
    case 'cancelled':
      return { tone: 'none', dot: '○', text: 'cancelled' }
    case 'queued':
      return { tone: 'building', dot: '◌', text: 'queued' }
    case 'running':
      return { tone: 'building', dot: '◌', text: 'building' }
  }
}

/** Dot and word. A link is inside, as `shown`: its underline would begin before the word otherwise. */
export function statusDot({ tone, dot, text }: DocumentStatus, shown: Html | string = text): Html {
  return html`<span class="proof proof-${tone}"
    ><span class="dot" aria-hidden="true">${symbol(dot)}</span> ${shown}</span
  >`
}

/** The value in the headers of the PDF while the page is up to date. */
export function displayedVersion(paper: Paper | null): string {
  return paper === null || paper.shown === null
    ? ''
    : `"${paper.shown.build.pdfId}" ${paper.shown.status} ${paper.newest.number}`
}
