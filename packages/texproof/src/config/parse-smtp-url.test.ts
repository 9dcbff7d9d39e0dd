import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parseSmtpUrl } from './parse-smtp-url.ts'

test('an address of a mail server is read with its port, its TLS and who signs in', () => {
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

test('what is no address of a mail server is refused', () => {
  const texts = ['', 'mail.example', 'http://mail.example', 'smtp://', 'smtp://a/b', 'smtp://a?tls=no', 'smtp://%zz@a']
  assert.deepEqual(
    texts.map((text) => parseSmtpUrl(text)),
    texts.map(() => null),
  )
})
