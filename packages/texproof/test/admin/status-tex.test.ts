/** The TeX installation as shown to anonymous viewers. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import { openWebClient } from '../support/web/web-client.ts'

let host: PaperHost

before(async () => {
  host = await openPaperHost({ name: 'Papers of the institute' })
})
after(() => host.close())

const ask = async (name: string): Promise<string> =>
  (await openWebClient(host.origin).get(`/status/tex?${new URLSearchParams({ package: name })}`)).text

test('GET /status/tex names the release, the programs and their versions', async () => {
  const { status, text } = await openWebClient(host.origin).get('/status/tex')
  assert.equal(status, 200)
  assert.match(text, /TeX on Papers of the institute[\s\S]*TeX Live \d{4}[\s\S]*pdflatex<\/code><\/th>\s*<td>1\.\d+/)
})

test('GET /status/tex?package= says whether a package or class is installed, and how to load it', async () => {
  assert.match(
    await ask('graphicx'),
    /Installed: <code>graphicx\.sty<\/code>, \d{4}-\d\d-\d\d[\s\S]*\\usepackage\{graphicx\}/,
  )
  assert.match(await ask('article'), /Installed: <code>article\.cls<\/code>[\s\S]*\\documentclass\{article\}/)
})

test('GET /status/tex?package= suggests the package meant by a typo', async () => {
  assert.match(await ask('grahpicx'), /is not\s+installed\.[\s\S]*href="\/status\/tex\?package=graphicx"/)
})

test('GET /status/tex?package= escapes its input', async () => {
  const text = await ask('"><script>alert(1)</script>')
  assert.match(text, /Invalid package name/)
  assert.equal(text.includes('<script>alert'), false)
})
