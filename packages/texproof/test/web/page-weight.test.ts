import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'

import { everyPage } from '../support/web/every-page.ts'
import { openFilledSite } from '../support/hosts/filled-site.ts'
import type { FilledSite } from '../support/hosts/filled-site.ts'
import type { WebClient } from '../support/web/web-client.ts'
import { openWebClient } from '../support/web/web-client.ts'

const MAX_PAGE_BYTES = 60_000
const MAX_SCRIPT_BYTES = 30_000
const MAX_STYLE_BYTES = 20_000

let site: FilledSite
let pages: readonly { readonly path: string; readonly text: string }[]

before(async () => {
  site = await openFilledSite()
  const clients: Record<'alice' | 'nobody', WebClient> = {
    alice: await site.signIn('alice'),
    nobody: openWebClient(site.origin),
  }
  pages = await Promise.all(
    everyPage(site)
      .filter(({ isPage }) => isPage)
      .map(async ({ path, viewer }) => ({ path, text: (await clients[viewer ?? 'nobody'].get(path)).text })),
  )
})
after(() => site.close())

function sizesOver(limit: number, sizes: readonly (readonly [path: string, bytes: number])[]): readonly string[] {
  return sizes.filter(([, bytes]) => bytes > limit).map(([path, bytes]) => `${path}: ${bytes}`)
}

test('no page is larger than 60 kB', () => {
  assert.deepEqual(
    sizesOver(
      MAX_PAGE_BYTES,
      pages.map(({ path, text }) => [path, Buffer.byteLength(text)]),
    ),
    [],
  )
})

test('long pages have no characters beyond Latin-1 except in their content', () => {
  const isLong = /^\/alice\/[\w-]+\/(?:tree|blob\/main\/main\.tex|commits|commit|compare)\b/
  const beyond = pages
    .filter(({ path }) => isLong.test(path))
    .flatMap(({ path, text }) => (text.match(/[^\0-\xff]/g) ?? []).map((character) => `${path}: ${character}`))
  assert.deepEqual(beyond, [])
})

test('no page loads more than 30 kB of own scripts, and only the PDF viewer and the editor load a library', async () => {
  const sizes = new Map<string, number>()
  const sizeOf = async (target: string): Promise<number> => {
    const known = sizes.get(target)
    if (known !== undefined) return known
    const { byteLength } = await fetch(site.origin + target).then((answer) => answer.arrayBuffer())
    sizes.set(target, byteLength)
    return byteLength
  }
  const weights = await Promise.all(
    pages.map(async ({ path, text }) => {
      const scripts = [...text.matchAll(/<script[^>]+src="([^"]+)"/g)].map(([, src]) => src ?? '')
      const bytes = await Promise.all(scripts.map(sizeOf))
      return [path, bytes.reduce((sum, size) => sum + size, 0)] as const
    }),
  )
  assert.deepEqual(sizesOver(MAX_SCRIPT_BYTES, weights), [])
})

test('the compressed style sheet is smaller than 20 kB', async () => {
  const target = /href="(\/assets\/[^"]+\.css)"/.exec(pages[0]?.text ?? '')?.[1] ?? ''
  const answer = await fetch(site.origin + target, { headers: { 'accept-encoding': 'gzip' } })
  const length = gzipSync(await answer.arrayBuffer()).byteLength
  assert.deepEqual([answer.headers.get('content-encoding'), length > 1_000 && length < MAX_STYLE_BYTES], ['gzip', true])
})

test('no page loads anything from another host', () => {
  const loads = /<(?:img|script|iframe|object|embed|source|video|audio|link)\b[^>]*?\b(?:src|data|href)="([^"]+)"/g
  const foreign = pages.flatMap(({ path, text }) =>
    [...text.matchAll(loads)]
      .map(([, address = '']) => address)
      .filter((address) => new URL(address, site.origin).origin !== site.origin && !address.startsWith('data:'))
      .map((address) => `${path}: ${address}`),
  )
  assert.deepEqual(foreign, [])
})
