import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { copyCheckout, type CheckoutCopy } from './copy-checkout.ts'
import { startDev } from './start-dev.ts'

const handler = 'packages/texproof/src/api/handlers/list-branches.ts'

let copy: CheckoutCopy
before(() => {
  copy = copyCheckout()
})
after(() => copy.remove())

test('npm run dev prints the demo accounts before their papers are built, names a line with a mistake, and restarts once it is fixed', async () => {
  const server = startDev(copy.folder)
  const file = join(copy.folder, handler)
  const text = readFileSync(file, 'utf8')
  try {
    const [, address = ''] = await server.says(/^Texproof \S+ {3}data .* {3}(http:\S+)$/m)
    await server.says(/^Sign in as alice with password \S+$/m)
    const page = await (await fetch(`${address}/docs/api`)).text()
    const words = page.replaceAll(/<wbr ?\/?>/g, '')
    assert.ok(words.includes('GET /repos/{owner}/{repo}/branches'), 'the endpoint is not on the page')
    writeFileSync(file, `${text}const = 1\n`)
    await server.says(/list-branches\.ts:\d+\n[\s\S]*const = 1\n +\^/)
    writeFileSync(file, text)
    await server.says(/list-branches\.ts:\d+\n[\s\S]*^Texproof \S+ {3}data /m)
    assert.doesNotMatch(server.output(), /"level":"(?:error|fatal)"/)
  } finally {
    await server.stop()
  }
})
