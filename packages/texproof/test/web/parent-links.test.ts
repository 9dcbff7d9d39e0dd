/** Links from a page to its parent. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openFilledSite } from '../support/hosts/filled-site.ts'
import type { FilledSite } from '../support/hosts/filled-site.ts'

let site: FilledSite

before(async () => {
  site = await openFilledSite()
})
after(() => site.close())

const below: readonly (readonly [path: string, parent: string])[] = [
  ['/settings/security/passkeys', '/settings/security'],
  ['/settings/security/two-factor', '/settings/security'],
  ['/settings/tokens/new', '/settings/tokens'],
  ['/settings/trash', '/alice'],
  ['/admin/users/alice/quota', '/admin/users'],
  ['/admin/users/bob/disable', '/admin/users'],
  ['/admin/repos/alice/tides', '/admin/repos'],
  ['/admin/demo', '/admin/status'],
  ['/alice/tides/people', '/alice/tides/settings'],
  ['/alice/tides/settings/transfer', '/alice/tides/settings'],
  ['/alice/tides/settings/webhooks', '/alice/tides/settings'],
  ['/alice/tides/settings/webhooks/new', '/alice/tides/settings/webhooks'],
  ['/alice/tides/settings/webhooks/1', '/alice/tides/settings/webhooks'],
  ['/alice/tides/settings/webhooks/1/deliveries/1', '/alice/tides/settings/webhooks/1'],
  ['/alice/followed/settings/mirror', '/alice/followed/settings'],
  ['/alice/tides/words/main', '/alice/tides/pdf/main'],
]

test('pages that are in no menu link to their parent above their heading', async () => {
  const alice = await site.signIn('alice')
  const found = await Promise.all(
    below.map(async ([path]) => {
      const { text } = await alice.get(path)
      return [path, /<p class="back">\s*<a href="([^"]+)">[^]*?<h1/.exec(text)?.[1]]
    }),
  )
  assert.deepEqual(found, below)
})
