import { html } from 'hono/html'

import type { Build, BuildPass } from '../../domain/build.ts'
import { nameTool } from '../../domain/tool-names.ts'
import { breakable } from '../ui/breakable.ts'
import { formatSeconds } from '../ui/format/format-duration.ts'
import type { Html } from '../ui/html.ts'

interface Row {
  readonly label: string
  readonly durationMs: number | null
  readonly isBad: boolean
  readonly note: Html | string
}

/** Less is not worth a row. */
const SHORTEST_REST_MS = 2_000
const SMALLEST_REST = 0.2

/**
 * Passes as bars to one scale, each with its reason; last the rest of the time, if it is long. Drawn in SVG, because
 * pages permit no inline styles.
 */
export function passTimeline(build: Pick<Build, 'passes' | 'startedAt' | 'finishedAt'>): Html {
  const rest = restOf(build)
  const rows = [...build.passes.map(passRow), ...(rest === null ? [] : [rest])]
  const longestMs = Math.max(1, ...rows.map(({ durationMs }) => durationMs ?? 0))
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Passes">
    <table class="timeline">
      <thead>
        <tr>
          <th scope="col">Pass</th>
          <th scope="col" class="numeric">Time</th>
          <th scope="col" class="bar-column"><span class="visually-hidden">To scale</span></th>
          <th scope="col">Reason</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => drawRow(row, longestMs))}
      </tbody>
    </table>
  </div>`
}

function passRow({ program, durationMs, reason, exitCode, timedOut }: BuildPass, at: number): Row {
  const isBad = timedOut || exitCode !== 0
  const ending = timedOut ? 'stopped at the time limit' : exitCode === 0 ? '' : `exit code ${exitCode}`
  return {
    label: `${at + 1} ${nameTool(program)}`,
    durationMs,
    isBad,
    note: html`${breakable(reason ?? '')}${ending === '' ? '' : html`${reason === null ? '' : '; '}<span class="proof-failed">${ending}</span>`}`,
  }
}

/** The first build with LuaTeX after an installation waits for the list of fonts, much longer than for its passes. */
function restOf({ passes, startedAt, finishedAt }: Pick<Build, 'passes' | 'startedAt' | 'finishedAt'>): Row | null {
  if (startedAt === null || finishedAt === null) return null
  const totalMs = finishedAt - startedAt
  const durationMs = passes.reduce((left, pass) => left - (pass.durationMs ?? 0), totalMs)
  if (durationMs < SHORTEST_REST_MS || durationMs < SMALLEST_REST * totalMs) return null
  return { label: 'Other', durationMs, isBad: false, note: 'waiting, and one-time preparation of fonts and formats' }
}

function drawRow({ label, durationMs, isBad, note }: Row, longestMs: number): Html {
  const width = durationMs === null ? 0 : Math.max(1, (100 * durationMs) / longestMs)
  return html`<tr>
    <th scope="row">${label}</th>
    <td class="numeric">${durationMs === null ? '–' : formatSeconds(durationMs)}</td>
    <td class="bar-column">
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="${isBad ? 'bar-bad' : 'bar-good'}" width="${width.toFixed(1)}" height="8" />
      </svg>
    </td>
    <td>${note}</td>
  </tr>`
}
