import assert from 'node:assert/strict'
import { it } from 'node:test'

import fc from 'fast-check'

import {
  parseBaseUrl,
  parseDuration,
  parseIssuer,
  parseListen,
  parseSender,
  parseSize,
  parseSmtpUrl,
  parseWait,
} from './parse-values.ts'

it('parseListen() reads a host and a port, or only one of them', () => {
  const texts = ['127.0.0.1:3000', ':3001', '3002', '[::1]:80', 'papers.example.org:8080', '0.0.0.0:0']
  assert.deepEqual(texts.map(parseListen), [
    { host: '127.0.0.1', port: 3000 },
    { host: 'localhost', port: 3001 },
    { host: 'localhost', port: 3002 },
    { host: '::1', port: 80 },
    { host: 'papers.example.org', port: 8080 },
    { host: '0.0.0.0', port: 0 },
  ])
})

it('parseListen() refuses an invalid address', () => {
  const texts = [
    '',
    'localhost',
    ':',
    ':65536',
    ':-1',
    '::1:80',
    'a b:1',
    'http://x:1',
    ':12x',
    '256.0.0.1:80',
    '[1::2::3]:80',
  ]
  assert.deepEqual(
    texts.map(parseListen),
    texts.map(() => null),
  )
})

it('parseListen() accepts every IPv4 address', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 0, max: 65_535 }), (host, port) => {
      assert.deepEqual(parseListen(`${host}:${port}`), { host, port })
    }),
  )
})

it('parseDuration() reads an integer and a unit as milliseconds', () => {
  assert.deepEqual(
    ['500ms', '60s', '5m', '12h', '30d'].map(parseDuration),
    [500, 60_000, 300_000, 43_200_000, 2_592_000_000],
  )
})

it('parseDuration() refuses a number without unit, a fraction, an empty text and other words', () => {
  assert.deepEqual(['60', '1.5s', '0s', '-1s', '', 's', '60 s', '1w', 'none'].map(parseDuration), Array(9).fill(null))
})

it('parseWait() reads durations up to a day', () => {
  assert.deepEqual(['300s', '24h', '1441m', '100d', '1'].map(parseWait), [300_000, 86_400_000, null, null, null])
})

it('parseSize() reads bytes, and k, m, g as powers of 1024', () => {
  assert.deepEqual(['1', '64k', '500m', '2G'].map(parseSize), [1, 65_536, 524_288_000, 2_147_483_648])
})

it('parseSize() reads back every size in bytes', () => {
  const sizes = [parseSize('1000g') ?? 0, Number.MAX_SAFE_INTEGER]
  assert.deepEqual(
    sizes.map((bytes) => parseSize(String(bytes))),
    [1_073_741_824_000, 9_007_199_254_740_991],
  )
})

it('parseSize() refuses sizes that are not exact', () => {
  assert.deepEqual(['9007199254740992', '9999999g'].map(parseSize), [null, null])
})

it('parseSize() refuses an empty text, fractions and other units', () => {
  assert.deepEqual(['', '0', '1.5g', '-1', '10t', 'm', '1 m'].map(parseSize), Array(7).fill(null))
})

it('parseBaseUrl() removes the trailing slash and keeps a path', () => {
  const texts = [
    'https://papers.example.org/',
    'http://localhost:3000',
    'https://example.org/papers/',
    'HTTPS://Example.ORG:443',
  ]
  assert.deepEqual(texts.map(parseBaseUrl), [
    'https://papers.example.org',
    'http://localhost:3000',
    'https://example.org/papers',
    'https://example.org',
  ])
})

it('parseBaseUrl() refuses URLs that links cannot start with', () => {
  const texts = [
    'papers.example.org',
    'ftp://example.org',
    'https://example.org/?a=1',
    'https://example.org/#a',
    'https://a:b@example.org',
    '',
  ]
  assert.deepEqual(
    texts.map(parseBaseUrl),
    texts.map(() => null),
  )
})

it('parseIssuer() accepts https, and http on this machine', () => {
  const good = ['https://login.uni.example', 'https://login.uni.example/realms/papers', 'http://localhost:8080/']
  const bad = ['', 'login.uni.example', 'http://login.uni.example', 'https://a@uni.example', 'https://uni.example/?a=b']
  assert.deepEqual(
    [...good, ...bad].map((text) => parseIssuer(text)),
    [...good, ...bad.map(() => null)],
  )
})

it('parseSender() accepts one address, with or without a name', () => {
  const texts = ['papers@uni.example', ' Papers of Uni <papers@uni.example> ', 'a@b, c@d', 'a', 'A <a@b>\nBcc: c@d', '']
  assert.deepEqual(
    texts.map((text) => parseSender(text)),
    ['papers@uni.example', 'Papers of Uni <papers@uni.example>', null, null, null, null],
  )
})

it('parseSender() removes the quotes around a name, which may contain punctuation', () => {
  const texts = ['"Dept. of Maths, Uni" <papers@uni.example>', '"A" <b@c>\nBcc: d@e', '"A"B" <c@d>', '"A" c@d']
  assert.deepEqual(
    texts.map((text) => parseSender(text)),
    ['Dept. of Maths, Uni <papers@uni.example>', null, null, null],
  )
})

it('parseSmtpUrl() reads host, port, TLS and login of a mail server', () => {
  const login = { user: 'host@uni.example', password: 'p@ss/word' }
  assert.deepEqual(parseSmtpUrl('smtp://host%40uni.example:p%40ss%2Fword@mail.example'), {
    host: 'mail.example',
    port: 587,
    isTls: false,
    login,
  })
  assert.deepEqual(parseSmtpUrl('smtps://[::1]/'), { host: '::1', port: 465, isTls: true, login: null })
  assert.deepEqual(parseSmtpUrl('smtp://localhost:25'), { host: 'localhost', port: 25, isTls: false, login: null })
})

it('parseSmtpUrl() refuses an invalid URL', () => {
  const texts = ['', 'mail.example', 'http://mail.example', 'smtp://', 'smtp://a/b', 'smtp://a?tls=no', 'smtp://%zz@a']
  assert.deepEqual(
    texts.map((text) => parseSmtpUrl(text)),
    texts.map(() => null),
  )
})
