import { html } from 'hono/html'

import type { BuildPass } from '../../domain/build.ts'
import { nameTool } from '../../domain/tool-names.ts'
import { formatSeconds } from '../ui/format/format-duration.ts'
import type { Html } from '../ui/html.ts'

/** Passes as bars to one scale, each with its reason. Drawn in SVG, because pages permit no inline styles. */
export function passTimeline(passes: readonly BuildPass[]): Html {
  const longestMs = Math.max(1, ...passes.map(({ durationMs }) => durationMs ?? 0))
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
        ${passes.map((pass, at) => passRow(pass, at + 1, longestMs))}
      </tbody>
    </table>
  </div>`
}

function passRow(
  { program, durationMs, reason, exitCode, timedOut }: BuildPass,
  number: number,
  longestMs: number,
): Html {
  const width = durationMs === null ? 0 : Math.max(1, (100 * durationMs) / longestMs)
  const isBad = timedOut || exitCode !== 0
  const ending = timedOut ? 'stopped at the time limit' : exitCode === 0 ? '' : `exit code ${exitCode}`
  return html`<tr>
    <th scope="row">${number} ${nameTool(program)}</th>
    <td class="numeric">${durationMs === null ? '–' : formatSeconds(durationMs)}</td>
    <td class="bar-column">
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="${isBad ? 'bar-bad' : 'bar-good'}" width="${width.toFixed(1)}" height="8" />
      </svg>
    </td>
    <td>
      ${reason ?? ''}${ending === '' ? '' : html`${reason === null ? '' : '; '}<span class="proof-failed">${ending}</span>`}
    </td>
  </tr>`
}
