import { raw } from 'hono/html'

import { expressibleTime } from '../../../domain/text/expressible-time.ts'
import { formatRecentAge } from './format-age.ts'
import { formatDate } from './format-date.ts'
import type { Html } from '../html.ts'

/** `2 min ago`, with the full time in the markup and on hover; a date beyond a month. A script keeps it up to date. */
export function timeAgo(at: number, now = Date.now()): Html {
  return raw(timeElement(at, now))
}

/** Like `timeAgo`, as a string for rows; times need no escaping. */
export function timeElement(at: number, now = Date.now()): string {
  const iso = new Date(expressibleTime(at)).toISOString()
  return `<time datetime="${iso}" data-ago title="${fullTime(iso)}">${formatAge(at, now)}</time>`
}

/** Like `timeAgo`, as a table cell, shorter, for rows that occur hundreds of times on a page. */
export function timeCell(at: number, now = Date.now()): string {
  return `<td data-ago title="${fullTime(new Date(expressibleTime(at)).toISOString())}">${formatAge(at, now)}`
}

/** `9 s ago`, `2 min ago`, `3 d ago`, `3 March 2026`. */
export function formatAge(at: number, now: number): string {
  return formatRecentAge(expressibleTime(at), now) ?? formatDate(at)
}

/** `2026-03-03 14:05:09 UTC`, read by `refresh-ages.browser.ts`. */
function fullTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}
