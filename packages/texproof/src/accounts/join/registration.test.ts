import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isOfEmailDomain, parseRegistration } from './registration.ts'

test('a rule may name one domain, several, or none', () => {
  const domains = ['', '@Uni.Example', 'uni.example, lab.example', ' uni.example  uni.example ', 'uni example/']
  assert.deepEqual(
    domains.map((text) => parseRegistration('open', text)?.emailDomain),
    [null, 'uni.example', 'uni.example, lab.example', 'uni.example', undefined],
  )
})

test('only addresses of the domain itself match a rule, not addresses of subdomains', () => {
  const rule = { mode: 'open', emailDomain: 'uni.example, lab.example' } as const
  const emails = ['alice@UNI.example', 'bob@lab.example', 'bob@a.uni.example', 'bob@evil-uni.example', null]
  assert.deepEqual(
    emails.map((email) => isOfEmailDomain(email, rule)),
    [true, true, false, false, false],
  )
  assert.equal(isOfEmailDomain(null, { ...rule, emailDomain: null }), true)
})
