import type { Context } from 'hono'
import { html } from 'hono/html'

import { isInProgress } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import { buildPath, pdfPath } from '../../domain/page-urls.ts'
import type { Paper } from '../../papers/types.ts'
import type { ResolvedRef } from '../shell/repository/resolve-ref.ts'
import type { Html } from '../ui/html.ts'
import { paperStatus, statusDot } from '../ui/document/document-status.ts'

/** Outcome of an edit, in the address of the next page. */
export interface AfterCommit {
  readonly kind: Kind
  /** Updated paths in sources; `none` = they could not be updated; null = the edit was to update none. */
  readonly references: number | 'none' | null
}

type Kind = 'commit' | 'joined' | 'kept'

const WORDS: Readonly<Record<Kind, string>> = {
  commit: 'Committed to',
  joined: 'Committed and merged with newer changes on',
  kept: 'Nothing to commit: the file already has this content on',
}

/** Reads `?after=commit&references=2`; null for a page that follows no edit. */
export function readAfterCommit(c: Context): AfterCommit | null {
  const [kind, references = ''] = [c.req.query('after'), c.req.query('references')]
  if (kind !== 'commit' && kind !== 'joined' && kind !== 'kept') return null
  if (/^\d{1,6}$/.test(references)) return { kind, references: Number(references) }
  return { kind, references: references === 'none' ? 'none' : null }
}

/** The result of the commit just made, and the status of its PDF. */
export function afterCommit(
  { kind, references }: AfterCommit,
  {
    repository,
    ref,
    paper,
    obstacle,
  }: {
    readonly repository: Repository
    readonly ref: ResolvedRef
    readonly paper: Paper | null
    /** See `findObstacle`. */
    readonly obstacle: Html | null
  },
): Html {
  const isBuilt = paper?.newest.commitId === ref.commitId
  return html`<p class="banner banner-${isBuilt ? paperStatus(paper).tone : 'none'}" role="status">
    ${WORDS[kind]} <code>${ref.name}</code>. ${describeReferences(references)}
    ${isBuilt ? pdfOfCommit(paper, repository, ref.name) : obstacle}
  </p>`
}

function describeReferences(references: AfterCommit['references']): string {
  if (references === null || references === 0) return ''
  if (references === 'none') return 'Paths in sources were not updated: the branch has too many files.'
  return `Updated ${references} ${references === 1 ? 'path' : 'paths'} in LaTeX sources.`
}

function pdfOfCommit(paper: Paper, repository: Repository, refName: string): Html {
  const { number } = paper.newest
  const isBuilding = isInProgress(paper.newest)
  return html`${statusDot(paperStatus(paper))}
    <a href="${pdfPath(repository, refName, null)}">${isBuilding ? 'The PDF is being built' : 'View PDF'}</a>
    ${isBuilding ? html`<span class="quiet" data-build-events="${buildPath(repository, number)}/events"></span>` : ''}`
}
