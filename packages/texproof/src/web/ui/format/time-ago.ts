import { html } from 'hono/html'

import { formatDate } from './format-date.ts'
import type { Html } from '../html.ts'

const STEPS: readonly (readonly [limitMs: number, unitMs: number, unit: string])[] = [
  [90_000, 1_000, 's'],
  [90 * 60_000, 60_000, 'min'],
  [36 * 3_600_000, 3_600_000, 'h'],
  [Number.POSITIVE_INFINITY, 86_400_000, 'd'],
]

/** `2 min ago`, with the full time in the markup and on hover; a date beyond a month. */
export function timeAgo(at: number, now = Date.now()): Html {
  const iso = new Date(at).toISOString()
  const full = `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
  return html`<time datetime="${iso}" title="${full}">${formatAge(at, now)}</time>`
}

/** The same as a table cell, shorter, for rows that occur hundreds of times on a page; times need no escaping. */
export function timeCell(at: number, now = Date.now()): string {
  const iso = new Date(at).toISOString()
  return `<td title="${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC">${formatAge(at, now)}`
}

/** `9 s ago`, `2 min ago`, `3 d ago`, `3 March 2026`. */
export function formatAge(at: number, now: number): string {
  const ageMs = Math.max(0, now - at)
  if (ageMs > 31 * 86_400_000) return formatDate(at)
  const [, unitMs, unit] = STEPS.find(([limitMs]) => ageMs < limitMs) ?? [0, 1_000, 's']
  return `${Math.floor(ageMs / unitMs)} ${unit} ago`
}
