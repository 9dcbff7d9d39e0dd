import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import type { Paper } from '../../papers/types.ts'
import type { Html } from '../ui/html.ts'
import { papersStatus } from '../ui/document/document-status.ts'
import type { DocumentStatus } from '../ui/document/document-status.ts'
import { findRefPaper } from '../shell/repository/find-ref-paper.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { NotFound } from '../session/errors.ts'
import { fullRefName, resolveRef, type ResolvedRef } from '../shell/repository/resolve-ref.ts'

/** Width of a character of the badge's text, in its units: an SVG cannot measure text. */
const CHAR_WIDTH = 6.6
const PADDING = 8

/** Legible on white and with white text: badges appear on pages of other sites. */
const COLORS: Readonly<Record<DocumentStatus['tone'], string>> = {
  good: '#1f6f43',
  warned: '#7d5200',
  failed: '#a51d1d',
  building: '#7d5200',
  none: '#5c564e',
}

/**
 * `/{owner}/{repo}/badge/{ref}.svg`: the status of the documents of a ref, for a README; `.json`: the same for programs,
 * with the newest build of each document.
 */
export async function sendBadge(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const [, refName = '', format = null] = /^(.+)\.(svg|json)$/.exec(c.req.param('rest') ?? '') ?? []
  const ref = format === null ? null : await resolveRef(deps.git, repository.id, refName)
  // A README may name the default branch before the first push creates it.
  if (ref === null && (format === null || refName !== repository.defaultBranch))
    throw new NotFound('Branch, tag or commit not found.')
  const paper = ref && (await findRefPaper(deps, repository.id, { ref, document: null }))
  const headers = {
    'cache-control': repository.visibility === 'private' ? 'private, no-cache' : 'public, max-age=60',
    'cross-origin-resource-policy': 'cross-origin',
  }
  if (format === 'json') return c.json(presentStatus(paper, ref), 200, headers)
  const status = papersStatus(paper)
  const pages = paper?.documents.length === 1 ? (paper.shown?.build.pageCount ?? null) : null
  const message = pages === null ? status.text : `${status.text}, ${countOf(pages, 'page')}`
  return c.body(String(badge(message, status)), 200, { ...headers, 'content-type': 'image/svg+xml' })
}

function presentStatus(paper: Paper | null, ref: ResolvedRef | null): object {
  return {
    ref: ref === null ? null : fullRefName(ref),
    commit: ref?.commitId ?? null,
    status: papersStatus(paper).text,
    documents: (paper?.documents ?? []).map((build) => ({
      name: build.document,
      state: build.state,
      build: build.number,
    })),
  }
}

function badge(message: string, { tone, dot }: DocumentStatus): Html {
  const label = 'paper'
  const text = `${dot} ${message}`
  const left = Math.round(label.length * CHAR_WIDTH + 2 * PADDING)
  const right = Math.round([...text].length * CHAR_WIDTH + 2 * PADDING)
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${left + right}"
    height="20"
    role="img"
    aria-label="${label}: ${message}"
  >
    <title>${label}: ${message}</title>
    <rect width="${left}" height="20" fill="#3a352e" />
    <rect x="${left}" width="${right}" height="20" fill="${COLORS[tone]}" />
    <g fill="#fff" font-family="Verdana,'DejaVu Sans',sans-serif" font-size="11">
      <text x="${PADDING}" y="14" textLength="${left - 2 * PADDING}">${label}</text>
      <text x="${left + PADDING}" y="14" textLength="${right - 2 * PADDING}">${text}</text>
    </g>
  </svg>`
}
