import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import type { Html } from '../ui/html.ts'
import { papersState } from '../ui/document/proof-state.ts'
import type { ProofState } from '../ui/document/proof-state.ts'
import { findRefPaper } from '../shell/repository/find-ref-paper.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { NotFound } from '../session/errors.ts'
import { resolveRef } from '../shell/repository/resolve-ref.ts'

/** Width of a character of the badge's text, in its units: an SVG cannot measure text. */
const CHAR_WIDTH = 6.6
const PADDING = 8

/** Legible on white and with white text: badges appear on pages of other sites. */
const COLOURS: Readonly<Record<ProofState['tone'], string>> = {
  good: '#1f6f43',
  warned: '#7d5200',
  failed: '#a51d1d',
  building: '#7d5200',
  none: '#5c564e',
}

/** `/{owner}/{repo}/badge/{ref}.svg`: the status of the documents of a ref, for a README. */
export async function sendBadge(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const name = c.req.param('rest') ?? ''
  const refName = name.replace(/\.svg$/, '')
  const ref = name.endsWith('.svg') ? await resolveRef(deps.git, repository.id, refName) : null
  // A README may name the default branch before the first push creates it.
  if (ref === null && refName !== repository.defaultBranch) throw new NotFound('Branch, tag or commit not found.')
  const paper = ref && (await findRefPaper(deps, repository.id, { ref, document: null }))
  const state = papersState(paper)
  const pages = paper?.documents.length === 1 ? (paper.shown?.build.pageCount ?? null) : null
  const words = pages === null ? state.words : `${state.words}, ${pages} p`
  return c.body(String(badge(words, state)), 200, {
    'content-type': 'image/svg+xml',
    'cache-control': repository.visibility === 'private' ? 'private, no-cache' : 'public, max-age=60',
    'cross-origin-resource-policy': 'cross-origin',
  })
}

function badge(words: string, { tone, dot }: ProofState): Html {
  const label = 'paper'
  const text = `${dot} ${words}`
  const left = Math.round(label.length * CHAR_WIDTH + 2 * PADDING)
  const right = Math.round([...text].length * CHAR_WIDTH + 2 * PADDING)
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${left + right}"
    height="20"
    role="img"
    aria-label="${label}: ${words}"
  >
    <title>${label}: ${words}</title>
    <rect width="${left}" height="20" fill="#3a352e" />
    <rect x="${left}" width="${right}" height="20" fill="${COLOURS[tone]}" />
    <g fill="#fff" font-family="Verdana,'DejaVu Sans',sans-serif" font-size="11">
      <text x="${PADDING}" y="14" textLength="${left - 2 * PADDING}">${label}</text>
      <text x="${left + PADDING}" y="14" textLength="${right - 2 * PADDING}">${text}</text>
    </g>
  </svg>`
}
