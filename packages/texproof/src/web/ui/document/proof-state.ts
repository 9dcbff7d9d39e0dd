import { html } from 'hono/html'

import { failureStatus, isInProgress } from '../../../domain/build.ts'
import type { BuildSummary } from '../../../domain/build.ts'
import type { Paper } from '../../../papers/types.ts'
import type { Html } from '../html.ts'
import { symbol } from '../symbol.ts'

/** The status of a document, as a dot with its own shape and a word, never by color alone. */
export interface ProofState {
  readonly tone: 'good' | 'warned' | 'failed' | 'building' | 'none'
  readonly dot: string
  readonly words: string
}

/** The status of a document of a ref; null = never built. */
export function paperState(paper: Paper | null): ProofState {
  if (paper === null) return { tone: 'none', dot: '○', words: 'not built' }
  const { newest, shown } = paper
  if (isInProgress(newest)) return { tone: 'building', dot: '◌', words: 'building' }
  if (shown === null) return buildState(newest)
  switch (shown.status) {
    case 'current':
      return newest.warnings.length === 0
        ? { tone: 'good', dot: '●', words: 'up to date' }
        : { tone: 'warned', dot: '◐', words: 'up to date' }
    // The status is that of the newest build, whichever PDF is shown.
    case 'flawed':
    case 'older':
      return buildState(newest)
    case 'building':
      return { tone: 'building', dot: '◌', words: 'building' }
    case 'behind':
      return { tone: 'none', dot: '○', words: 'out of date' }
  }
}

/** The status of all documents of a ref in one dot: the worst one counts. */
export function papersState(paper: Paper | null): ProofState {
  if (paper === null || paper.documents.length < 2 || paper.shown?.status === 'behind') return paperState(paper)
  return documentsState(paper.documents)
}

/** The status of the documents of one commit in one dot; without documents, not built. */
export function documentsState(builds: readonly Omit<BuildSummary, 'commitId' | 'document'>[]): ProofState {
  const states = builds.map(buildState)
  const [first] = states
  if (first === undefined) return { tone: 'none', dot: '○', words: 'not built' }
  if (states.length === 1) return first
  const good = states.filter(({ tone }) => tone === 'good' || tone === 'warned').length
  const worst = SEVERITY.flatMap((tone) => states.find((state) => state.tone === tone) ?? [])[0] ?? first
  return { ...worst, words: `${good} of ${states.length} up to date` }
}

const SEVERITY: readonly ProofState['tone'][] = ['failed', 'building', 'none', 'warned', 'good']

/** The status of one build. */
export function buildState({ state, warningCount, pdfId }: Omit<BuildSummary, 'commitId' | 'document'>): ProofState {
  switch (state) {
    case 'succeeded':
      return warningCount === 0
        ? { tone: 'good', dot: '●', words: 'built' }
        : { tone: 'warned', dot: '◐', words: 'built' }
    case 'failed':
      return { tone: 'failed', dot: '✕', words: failureStatus({ pdfId }) }
    case 'cancelled':
      return { tone: 'none', dot: '○', words: 'cancelled' }
    case 'queued':
      return { tone: 'building', dot: '◌', words: 'queued' }
    case 'running':
      return { tone: 'building', dot: '◌', words: 'building' }
  }
}

/** Dot and word. A link is inside, as `shown`: its underline would begin before the word otherwise. */
export function proofDot({ tone, dot, words }: ProofState, shown: Html | string = words): Html {
  return html`<span class="proof proof-${tone}"
    ><span class="dot" aria-hidden="true">${symbol(dot)}</span> ${shown}</span
  >`
}

/** The value in the headers of the PDF while the page is up to date. */
export function seenState(paper: Paper | null): string {
  return paper === null || paper.shown === null
    ? ''
    : `"${paper.shown.build.pdfId}" ${paper.shown.status} ${paper.newest.number}`
}
