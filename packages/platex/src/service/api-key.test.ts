import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyCheck, ownerOf, parseApiKey } from './api-key.ts'

test('a key may be surrounded by spaces, and contain some', () => {
  const isAccepted = createKeyCheck('a b')
  const headers = ['Bearer a b', 'bearer   a b  ', 'Bearer a', 'Bearer a  b', 'Bearer ', 'Basic a b', null]
  assert.deepEqual(headers.map(isAccepted), [true, true, false, false, false, false, false])
})

test('a key of one character is accepted', () => {
  assert.equal(createKeyCheck('a')('Bearer a '), true)
})

test('a key with a million spaces inside is checked in linear time', () => {
  const isAccepted = createKeyCheck('a')
  const spaces = ' '.repeat(1_000_000)
  assert.deepEqual([isAccepted(`Bearer a${spaces}b`), isAccepted(`Bearer${spaces}a${spaces}`)], [false, true])
})

test('ownerOf names nobody on a public service without a key, whatever the credentials', () => {
  const headers = [null, '', 'Bearer alice']
  assert.deepEqual(
    headers.map((header) => ownerOf(header, { isPublic: true, isKeyless: true })),
    [null, null, null],
  )
})

test('ownerOf tells credentials apart on all other services', () => {
  const services = [
    { isPublic: true, isKeyless: false },
    { isPublic: false, isKeyless: true },
    { isPublic: false, isKeyless: false },
  ]
  const owners = services.map((service) => ['Bearer alice', 'Bearer bob'].map((header) => ownerOf(header, service)))
  assert.deepEqual(
    owners.map((pair) => new Set(pair).size),
    [2, 2, 2],
  )
})

test('white space around a configured key is dropped, as in the header of a request', () => {
  const keys = [' secret\n', '\ta b\r\n', ' \n', '', null, undefined]
  assert.deepEqual(
    keys.map((key) => parseApiKey('apiKey', key)),
    ['secret', 'a b', '', '', '', ''],
  )
})

test('a configured key that no request can send is rejected by name, without its value', () => {
  const messageOf = (key: unknown): string => {
    try {
      return parseApiKey('apiKey', key)
    } catch (error) {
      return String(error)
    }
  }
  const unsendable = 'CompileInputError: apiKey cannot be sent as a header: use visible ASCII characters'
  assert.deepEqual(['schl\u00fcssel', '\u9375', 'a\nb', 'a\u0000b', 5].map(messageOf), [
    'schl\u00fcssel',
    unsendable,
    unsendable,
    unsendable,
    'CompileInputError: apiKey must be a string',
  ])
})
