import assert from 'node:assert/strict'
import { it } from 'node:test'

import { pageLinks } from './page-links.ts'

it('pageLinks() leads from a page beyond the last one to the last one', () => {
  const links = pageLinks({ page: 99, perPage: 10, total: 15, href: (page) => `?page=${page}` }).toString()
  assert.deepEqual(
    [/<a href="([^"]+)" rel="prev">/.exec(links)?.[1], /<span[^>]*>([^<]+)</.exec(links)?.[1], links.includes('next')],
    ['?page=2', 'The last page is 2', false],
  )
})
