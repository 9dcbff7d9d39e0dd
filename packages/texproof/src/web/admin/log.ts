/** `/admin/log`: the audit log by kind, person and day, newest first; also as a CSV file. */
import type { Context } from 'hono'
import { html } from 'hono/html'
import { stream } from 'hono/streaming'

import type { Deps } from '../../operations/deps.ts'
import type { AccountEvent } from '../../store/users/account-events.ts'
import { sendAdminPage } from './admin-page.ts'
import { describeEvent, wordsOfKind } from '../ui/describe-event.ts'
import type { Html } from '../ui/html.ts'
import { icon } from '../ui/icon.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import { contentDisposition } from '../shell/response/file-headers.ts'
import { requireAdmin } from '../session/viewer.ts'
import { logAddress, readLogQuery, toEventFilter } from './log-query.ts'
import type { LogQuery } from './log-query.ts'

const PER_PAGE = 100
/** Rows read at a time for the file. */
const ROWS_AT_ONCE = 1000

/** `GET /admin/log?kind=&person=&from=&until=&before=`. */
export async function showAdminLog(c: Context, { store }: Deps): Promise<Response> {
  requireAdmin(c)
  const query = readLogQuery((name) => c.req.query(name))
  const before = Number(c.req.query('before') ?? Number.NaN)
  const beforeId = Number.isSafeInteger(before) ? before : null
  const filter = await toEventFilter(store, query)
  const [events, kinds] = await Promise.all([
    filter === null ? [] : store.events.search(filter, { limit: PER_PAGE, beforeId }),
    store.events.listKinds(),
  ])
  const last = events.at(-1)
  const isMore = events.length === PER_PAGE && last !== undefined
  const main = html`${filterForm(query, kinds)}
  ${events.length === 0 ? html`<p class="quiet">No matching events. <a href="/admin/log">Show all</a></p>` : eventTable(events)}
  ${isMore ? html`<nav class="pages" aria-label="Pages"><a href="${logAddress('/admin/log', query, { before: String(last.id) })}" rel="next">Older</a></nav>` : ''}
  ${events.length === 0 ? '' : html`<p><a href="${logAddress('/admin/log.csv', query)}" download>${icon('download')} Download as CSV</a></p>`}`
  return sendAdminPage(c, { tab: 'log', title: 'Audit log', main })
}

/** `GET /admin/log.csv` with the same fields: every match, without paging. */
export async function downloadAdminLog(c: Context, { store }: Deps): Promise<Response> {
  requireAdmin(c)
  const filter = await toEventFilter(
    store,
    readLogQuery((name) => c.req.query(name)),
  )
  const name = `log-${new Date().toISOString().slice(0, 10)}.csv`
  c.header('content-type', 'text/csv; charset=utf-8')
  c.header('content-disposition', contentDisposition('attachment', name))
  c.header('cache-control', 'no-store')
  return stream(c, async (out) => {
    await out.write(csvLine(['time', 'kind', 'what', 'detail', 'account', 'by', 'from']))
    if (filter === null) return
    for (let beforeId: number | null = null; !out.aborted;) {
      const events: readonly AccountEvent[] = await store.events.search(filter, { limit: ROWS_AT_ONCE, beforeId })
      await out.write(events.map(eventLine).join(''))
      const last = events.at(-1)
      if (last === undefined || events.length < ROWS_AT_ONCE) return
      beforeId = last.id
    }
  })
}

function eventLine({ kind, login, actor, address, detail, createdAt }: AccountEvent): string {
  const time = new Date(createdAt).toISOString()
  return csvLine([time, kind, wordsOfKind(kind), detail ?? '', login ?? '', actor ?? '', address ?? ''])
}

function filterForm({ kind, person, from, until }: LogQuery, kinds: readonly string[]): Html {
  const day = (name: string, label: string, value: string): Html =>
    html`<p>
      <label for="${name}">${label}</label> <input id="${name}" name="${name}" type="date" value="${value}" />
    </p>`
  return html`<form action="/admin/log" class="filter" role="search" aria-label="Filter">
    <p>
      <label for="kind">Action</label>
      <select id="kind" name="kind">
        <option value="">All actions</option>
        ${kinds.map((each) => html`<option value="${each}" ${each === kind ? html`selected` : ''}>${wordsOfKind(each)}</option>`)}
      </select>
    </p>
    <p>
      <label for="person">User or account</label>
      <input id="person" name="person" value="${person}" autocapitalize="none" spellcheck="false" />
    </p>
    ${day('from', 'From (UTC)', from)} ${day('until', 'To (UTC)', until)}
    <p><button class="drawn-button">Filter</button></p>
  </form>`
}

function eventTable(events: readonly AccountEvent[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Log">
    <table class="settings-table stacked-table">
      <thead>
        <tr>
          <th scope="col">Action</th>
          <th scope="col">Account</th>
          <th scope="col">By</th>
          <th scope="col">IP address</th>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        ${events.map(eventRow)}
      </tbody>
    </table>
  </div>`
}

/** Without an address, it was not a request. */
function nobody({ address }: AccountEvent): string {
  return address === null ? 'command line' : 'not signed in'
}

function eventRow(event: AccountEvent): Html {
  return html`<tr>
    <th scope="row">${describeEvent(event)}</th>
    <td data-label="Account">${event.login ?? ''}</td>
    <td data-label="By">${event.actor ?? html`<span class="quiet">${nobody(event)}</span>`}</td>
    <td data-label="IP address" class="one-line">${event.address ?? ''}</td>
    <td>${timeAgo(event.createdAt)}</td>
  </tr>`
}

/**
 * One line of a CSV file (RFC 4180), with its line end. A cell that a spreadsheet would take for a formula is prefixed
 * with an apostrophe, so that user input never runs as a formula.
 *
 * Source: OWASP, CSV injection.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(text: string): string {
  // Some spreadsheets skip leading blanks.
  const defused = /^\s*[=+\-@]|^[\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(defused) ? `"${defused.replaceAll('"', '""')}"` : defused
}
