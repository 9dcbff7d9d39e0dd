/** Problems in files that TeX reads through symbolic links, in the push output and on pages. */
import assert from 'node:assert/strict'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'

import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'

test('a problem in a file behind a linked folder names and links the file that the link leads to', async (t) => {
  const host = await openPaperHost()
  t.after(() => host.close())
  const alice = await addTestUser(host.deps.store, { login: 'alice' })
  if (alice.kind !== 'added') throw new Error(alice.reason)
  await host.addRepository(alice.user, 'tides')
  const token = await host.addToken(alice.user, ['repo:write'])
  const checkout = await host.makeCheckout(host.gitUrl('alice/tides.git', token), {
    'main.tex': '\\documentclass{article}\n\\begin{document}\n\\input{parts/shared/waves}\n\\end{document}\n',
    'shared/waves.tex': 'Waves.\n\\wrong\n',
  })
  await mkdir(join(checkout.dir, 'parts'))
  await symlink('../shared', join(checkout.dir, 'parts/shared'))
  await checkout.commit({ 'notes.txt': 'The folder parts has a link.' })
  const { stderr } = await checkout.git('push', 'origin', 'main')
  const page = await (await fetch(`${host.origin}/alice/tides/pdf/main`)).text()
  const [, address = ''] = /class="place" href="([^"]*)"/.exec(page) ?? []
  const { status } = await fetch(`${host.origin}${address}`)
  assert.deepEqual(
    [/\S+waves\.tex\S*/.exec(stderr)?.[0], address.replace(/[0-9a-f]{40}/, 'COMMIT'), status],
    ['shared/waves.tex:2:1', '/alice/tides/blob/COMMIT/shared/waves.tex#L2', 200],
  )
})
