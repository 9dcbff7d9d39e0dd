import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import type { ApiRequest } from './api-request.ts'
import { itemsOfPage, paginated, parsePage, windowOf } from './pagination.ts'

for (const [query, page] of Object.entries({
  '': [1, 30],
  'page=2&per_page=50': [2, 50],
  'per_page=100': [1, 100],
  'per_page=101': [1, 100],
  'per_page=99999999999999999999': [1, 100],
  'per_page=0': [1, 30],
  'per_page=-5': [1, 30],
  'per_page=abc': [1, 30],
  'per_page=': [1, 30],
  'per_page=1e3': [1, 30],
  'per_page=10.5': [1, 30],
  'per_page=%2010': [1, 30],
  'per_page=10abc': [1, 30],
  'per_page=0x10': [1, 30],
  'per_page=+10': [1, 30],
  'per_page=١٠': [1, 30],
  'per_page=007': [1, 7],
  'per_page=5&per_page=7': [1, 7],
  'per_page[]=5': [1, 30],
  'page=0': [1, 30],
  'page=x': [1, 30],
  'page=99999999999999999999': [1_000_000_000, 30],
})) {
  test(`parsePage reads ?${query} as page ${page[0]} of ${page[1]}`, () => {
    const { number, size } = parsePage(new URLSearchParams(query))
    assert.deepEqual([number, size], page)
  })
}

const origin = 'https://papers.example.org'

function linkOf(query: string, total: number): string | null {
  const request = requestFor(query)
  const answer = paginated('[]', { page: parsePage(request.query), total, request, origin })
  return answer.headers[1] ?? null
}

function requestFor(query: string): ApiRequest {
  const [search, body] = [query, new Map()]
  return { caller: null, params: {}, path: '/api/v3/x', query: new URLSearchParams(`?${query}`), search, body }
}

/** Links as `relation:query`, in order. */
function relationsOf(query: string, total: number): readonly string[] {
  const matches = (linkOf(query, total) ?? '').matchAll(
    /<https:\/\/papers\.example\.org\/api\/v3\/x\?([^>]*)>; rel="(\w+)"/g,
  )
  return [...matches].map(([, target, relation]) => `${relation}:${target}`)
}

const links: readonly (readonly [query: string, total: number, ...relations: string[]])[] = [
  ['', 30],
  ['', 31, 'next:page=2', 'last:page=2'],
  ['page=2', 31, 'prev:page=1', 'first:page=1'],
  ['page=2', 30],
  ['page=2', 100, 'prev:page=1', 'next:page=3', 'last:page=4', 'first:page=1'],
  ['page=9', 100, 'prev:page=4', 'last:page=4', 'first:page=1'],
  ['page=334', 20_000, 'prev:page=333', 'first:page=1'],
  ['page=335', 20_000, 'prev:page=334', 'last:page=334', 'first:page=1'],
  ['a=1&page=1&sort=x', 31, 'next:a=1&page=2&sort=x', 'last:a=1&page=2&sort=x'],
  [
    'affiliation=owner,collaborator&q=a b',
    31,
    'next:affiliation=owner%2Ccollaborator&q=a+b&page=2',
    'last:affiliation=owner%2Ccollaborator&q=a+b&page=2',
  ],
  ['per_page=10abc', 31, 'next:per_page=10abc&page=2', 'last:per_page=10abc&page=2'],
  ['page=7&page=1', 31, 'next:page=2', 'last:page=2'],
  ['page=7&q=a&p%61ge=1', 31, 'next:page=2&q=a', 'last:page=2&q=a'],
  ['q=%ff&per_page=5', 10, 'next:q=%FF&per_page=5&page=2', 'last:q=%FF&per_page=5&page=2'],
  ['q=a%20b+c%2c,&&r&=', 31, 'next:q=a+b+c%2C%2C&r=&=&page=2', 'last:q=a+b+c%2C%2C&r=&=&page=2'],
  ['q=%c3%A9%7e%2a%2b=', 31, 'next:q=%C3%A9%7E*%2B%3D&page=2', 'last:q=%C3%A9%7E*%2B%3D&page=2'],
  ['q=1%&r=%2&s=<">', 31, 'next:q=1%25&r=%252&s=%3C%22%3E&page=2', 'last:q=1%25&r=%252&s=%3C%22%3E&page=2'],
]
for (const [query, total, ...relations] of links) {
  test(`the Link header of ?${query} over ${total} items is ${relations.join(' ') || 'absent'}`, () => {
    assert.deepEqual(relationsOf(query, total), relations)
  })
}

test('the Link header separates its links as clients expect', () => {
  assert.equal(
    linkOf('', 31),
    '<https://papers.example.org/api/v3/x?page=2>; rel="next", <https://papers.example.org/api/v3/x?page=2>; rel="last"',
  )
})

test('page 334 at 30 per page has the last ten of 10,000 items, and page 335 none', () => {
  const items = Array.from({ length: 10_500 }, (_, index) => index)
  const pages = [334, 335].map((number) => itemsOfPage(items, { number, size: 30 }))
  assert.deepEqual(pages, [[9_990, 9_991, 9_992, 9_993, 9_994, 9_995, 9_996, 9_997, 9_998, 9_999], []])
})

test('following next from the first page visits each of the first 10,000 items once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 11_000 }), fc.integer({ min: 20, max: 100 }), (total, size) => {
      const items = Array.from({ length: total }, (_, index) => index)
      const seen: number[] = []
      for (let number: number | null = 1; number !== null;) {
        seen.push(...itemsOfPage(items, { number, size }))
        const next: string | undefined = relationsOf(`per_page=${size}&page=${number}`, total).find((link) =>
          link.startsWith('next:'),
        )
        number = next === undefined ? null : Number(/page=(\d+)$/.exec(next)?.[1])
      }
      assert.deepEqual(seen, items.slice(0, 10_000))
    }),
    { numRuns: 60 },
  )
})

test('a window never extends beyond the 10,000th item', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (number, size) => {
      const { offset, limit } = windowOf(parsePage(new URLSearchParams({ page: number, per_page: size })))
      return Number.isSafeInteger(offset) && offset >= 0 && limit >= 0 && limit <= 100 && offset + limit <= 10_000
    }),
  )
})

test('a Link header keeps what selects the list behind long parameters', () => {
  const long = Array.from({ length: 6 }, (_, index) => `x${index}=${'x'.repeat(190)}`).join('&')
  const link = linkOf(`${long}&per_page=10&sort=name`, 20) ?? ''
  assert.match(
    link,
    /^<[^>]*&per_page=10&sort=name&page=2>; rel="next", <[^>]*&per_page=10&sort=name&page=2>; rel="last"$/,
  )
})

test('a Link header keeps a long parameter that selects the list', () => {
  const query = `affiliation=collaborator%2C${'x'.repeat(400)}&note=n`
  assert.deepEqual(relationsOf(query, 31), [`next:${query}&page=2`, `last:${query}&page=2`])
})

test('a Link header has the form encoding of every query that is a form', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,3}$/), fc.string({ unit: 'binary', maxLength: 9 }))),
      (pairs) => {
        const form = new URLSearchParams([...pairs, ['page', '1']]).toString()
        assert.equal(linkOf(form, 31)?.split('>')[0]?.split('?')[1], form.replace(/page=1$/, 'page=2'))
      },
    ),
  )
})

test('a Link header repeats only the last of a parameter that selects the list, beyond the limit', () => {
  const link = linkOf(`${'per_page=7&'.repeat(2_000)}per_page=10`, 20) ?? ''
  assert.deepEqual([link.length < 6_000, link.includes('&per_page=10&page=2>')], [true, true])
})

test('a Link header stays below the 8 kB limit of proxies for every query', () => {
  const long = Array.from({ length: 400 }, (_, index) => `x${index}=${'é'.repeat(index)}`).join('&')
  const link = linkOf(`per_page=10&sort=name&${long}&page=3`, 1_000) ?? ''
  assert.deepEqual(
    [link.length < 6_000, link.includes('per_page=10&sort=name&'), link.split(', ').length],
    [true, true, 4],
  )
})

test('a Link header stays below the 8 kB limit of proxies for a query of short parameters', () => {
  const link = linkOf(`${'a&'.repeat(5_000)}page=3`, 1_000) ?? ''
  assert.deepEqual([link.length < 6_000, link.split(', ').length], [true, 4])
})
