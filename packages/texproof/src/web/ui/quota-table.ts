import { html } from 'hono/html'

import type { QuotaUse } from '../../accounts/users/find-quotas.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'
import type { Html } from './html.ts'
import { timeUntil } from './format/time-until.ts'

const MINUTE_MS = 60_000

/** A user's usage and limits. */
export function quotaTable(use: QuotaUse): Html {
  const { limits } = use
  const buildMinutes = Math.floor(use.buildMs / MINUTE_MS)
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Usage">
      <table class="settings-table">
        <thead>
          <tr>
            <th scope="col">Resource</th>
            <th scope="col" class="numeric">Used</th>
            <th scope="col" class="numeric">Limit</th>
          </tr>
        </thead>
        <tbody>
          ${row('Repositories', count(use.repositories), count(limits.repositories))}
          ${row('Storage', formatBytes(use.storageBytes), formatBytes(limits.storageBytes))}
          ${row('Build minutes in 24 hours', count(buildMinutes), count(limits.buildMinutes))}
          ${row('Concurrent pushes', NOT_COUNTED, count(limits.concurrentPushes))}
        </tbody>
      </table>
    </div>
    ${use.buildsFreeAt === null ? '' : html`<p>Build minutes are used up. Builds run again ${timeUntil(use.buildsFreeAt)}.</p>`}`
}

/** A limit of what runs at the same time, which uses nothing up. */
const NOT_COUNTED = html`<span aria-hidden="true">—</span><span class="visually-hidden">not counted</span>`

const count = (value: number): string => value.toLocaleString('en')

function row(label: string, used: string | Html, limit: string): Html {
  return html`<tr>
    <th scope="row">${label}</th>
    <td class="numeric">${used}</td>
    <td class="numeric">${limit}</td>
  </tr>`
}
