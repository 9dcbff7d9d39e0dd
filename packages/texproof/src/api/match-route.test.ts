import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { matchRoute } from './match-route.ts'

const segment = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((text) => !/[/\0]/.test(text))

test('matchRoute() decodes every percent-encoded branch name, with slashes encoded or not', () => {
  fc.assert(
    fc.property(
      fc.array(segment, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('/', '%2F', '%2f'),
      (parts, slash) => {
        const match = matchRoute('GET', `/repos/o/r/branches/${parts.map(encodeURIComponent).join(slash)}`)
        assert.deepEqual(match?.params, { owner: 'o', repo: 'r', branch: parts.join('/') })
      },
    ),
  )
})

test('matchRoute() never throws and never returns an empty parameter', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('/', '%', '2', 'F', 'e', '.', 'repos', 'user', 's', '\u00e9') }),
      (path) => {
        const match = matchRoute('GET', `/${path}`)
        return match === null || Object.values(match.params).every((value) => value !== '')
      },
    ),
  )
})
