import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { findQuotaUse } from '../../accounts/users/find-quotas.ts'
import { requireViewer } from '../session/viewer.ts'
import { quotaTable } from '../ui/quota-table.ts'
import { sendSettingsPage } from '../shell/settings-page.ts'

/** `GET /settings/usage`: what the viewer's repositories use, and the limits. */
export async function showUsage(c: Context, deps: Deps): Promise<Response> {
  const { user } = requireViewer(c)
  const main = html`${quotaTable(await findQuotaUse(deps, user.id))}
    <p class="quiet">
      Repositories in the trash count as storage until they are deleted permanently. An administrator of this host can
      raise your limits.
    </p>`
  return sendSettingsPage(c, { tab: 'usage', title: 'Usage', main })
}
