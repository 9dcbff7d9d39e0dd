import assert from 'node:assert/strict'

import type { Page } from 'playwright-core'

/** Requires that the main part of the page contains all these texts. */
export async function assertShows(page: Page, texts: readonly string[]): Promise<void> {
  const shown = await page.innerText('main')
  const missing = texts.filter((text) => !shown.includes(text))
  assert.deepEqual(missing, [], `the page shows: ${shown}`)
}
