import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'

import type { BrowserContext, Page } from 'playwright-core'

import type { Places } from './fill-host.ts'

const BUILD_MS = 120_000

/** Exports alice's paper, mirrors it under another name, and sends a delivery to a webhook of it. */
export async function exchangePapers(context: BrowserContext): Promise<Places> {
  const page = await context.newPage()
  const places = {
    package: await exportPaper(page),
    mirror: await mirrorPaper(page),
    ...(await sendDelivery(page)),
  }
  await page.close()
  return places
}

/** The address of a verified package. */
async function exportPaper(page: Page): Promise<string> {
  await page.goto('/alice/tides/export/main?for=arxiv')
  await page.click('main button:has-text("Create package")')
  await page.waitForSelector('text=Verified', { timeout: BUILD_MS })
  return pathOf(page)
}

async function mirrorPaper(page: Page): Promise<string> {
  await page.goto('/import/git')
  await page.fill('main [name=address]', new URL('/alice/tides.git', page.url()).href)
  await page.fill('main [name=name]', 'tides-mirror')
  await page.check('main [name=mirror]')
  await page.click('main button:has-text("Import repository")')
  await page.waitForURL('**/alice/tides-mirror', { timeout: BUILD_MS })
  return '/alice/tides-mirror/settings/mirror'
}

/** The addresses of a webhook and of its delivery. */
async function sendDelivery(page: Page): Promise<Places> {
  const receiver = createServer((_request, response) => response.end('Received.\n'))
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  try {
    await page.goto('/alice/tides/settings/webhooks/new')
    await page.fill('main [name=url]', `http://127.0.0.1:${port}/hooks/texproof`)
    await page.fill('main [name=secret]', 'seven stones in the brook')
    await page.click('main button:has-text("Add webhook")')
    await page.click('main button:has-text("Send test")')
    await page.waitForSelector('text=Received.')
    const delivery = pathOf(page)
    return { webhook: dirname(dirname(delivery)), delivery }
  } finally {
    receiver.close()
    receiver.closeAllConnections()
  }
}

function pathOf(page: Page): string {
  return new URL(page.url()).pathname
}
