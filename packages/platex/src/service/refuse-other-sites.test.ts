import assert from 'node:assert/strict'
import { test } from 'node:test'

import { refuseOtherSites } from './refuse-other-sites.ts'

const cases: readonly (readonly [title: string, headers: Record<string, string>, isAccepted: boolean])[] = [
  ['a program', { host: 'localhost:3000' }, true],
  ['curl with its default type', { host: 'localhost:3000', 'content-type': 'application/x-www-form-urlencoded' }, true],
  ['a page of the service', { host: 'localhost:3000', origin: 'http://localhost:3000' }, true],
  ['a page of the service by address', { host: '[::1]:3000', origin: 'http://[::1]:3000' }, true],
  [
    'a page behind a proxy',
    { host: '127.0.0.1:3000', origin: 'https://papers.example', 'sec-fetch-site': 'same-origin' },
    true,
  ],
  ['another site', { host: 'localhost:3000', origin: 'https://evil.example' }, false],
  ['another port', { host: 'localhost:3000', origin: 'http://localhost:4000' }, false],
  ['another site as the browser sees it', { host: 'localhost:3000', 'sec-fetch-site': 'cross-site' }, false],
  ['a neighboring site', { host: 'localhost:3000', 'sec-fetch-site': 'same-site' }, false],
  ['a sandboxed page', { host: 'localhost:3000', origin: 'null' }, false],
  ['a name bound to this machine', { host: 'evil.example:3000', origin: 'http://evil.example:3000' }, false],
  [
    'a name bound to this machine, from a browser that trusts it',
    { host: 'evil.example:3000', origin: 'http://evil.example:3000', 'sec-fetch-site': 'same-origin' },
    false,
  ],
  [
    'a page behind a local proxy',
    { host: '127.0.0.1:3000', origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' },
    true,
  ],
  ['a form', { host: 'localhost:3000', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }, false],
]
for (const [title, headers, isAccepted] of cases) {
  test(`a service without a key ${isAccepted ? 'accepts' : 'refuses'} a request of ${title}`, () => {
    const refuse = (): void => refuseOtherSites(new Headers(headers))
    if (isAccepted) assert.doesNotThrow(refuse)
    else assert.throws(refuse, { name: 'RequestFault', status: 403, code: 'cross_origin' })
  })
}
