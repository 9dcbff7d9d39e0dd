import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { Hono } from 'hono'

import { openPaperHost } from '../../../../test/support/hosts/paper-host.ts'
import type { PaperHost } from '../../../../test/support/hosts/paper-host.ts'
import { TooManyWaiting } from '../../../base/limiter.ts'
import { BucketUnavailable } from '../../../bucket/open-bucket.ts'
import { StoreBusy, StoreUnavailable } from '../../../store/sqlite/store-errors.ts'
import { answerError } from './answer-error.ts'

let host: PaperHost

before(async () => {
  host = await openPaperHost({ contact: 'alice@uni.example' })
})
after(() => host.close())

function ask(
  error: Error,
  method = 'GET',
  { path = '/page', body = null }: { readonly path?: string; readonly body?: URLSearchParams | null } = {},
): Response | Promise<Response> {
  const app = new Hono()
  app.all(path, () => {
    throw error
  })
  app.onError((thrown, c) => answerError(thrown, c, { ...host.deps, requestId: 'b3f9' }))
  return app.request(path, { method, body })
}

function titleOf(page: string): string | undefined {
  return /<h1>(.*?)<\/h1>/.exec(page)?.[1]
}

test('a page that finds the database locked by another process reloads itself', async () => {
  const answer = await ask(new StoreBusy({ cause: null }))
  const text = await answer.text()
  assert.deepEqual(
    [answer.status, answer.headers.get('retry-after'), /http-equiv="refresh" content="5"/.test(text)],
    [503, '5', true],
  )
})

test('a page whose step finds the database locked is busy as well', async () => {
  const answer = await ask(new Error('create repository', { cause: new StoreBusy({ cause: null }) }))
  assert.equal(answer.status, 503)
})

test('a form that finds the database locked gets an error page, and is not sent again automatically', async () => {
  const answer = await ask(new StoreBusy({ cause: null }), 'POST')
  const text = await answer.text()
  assert.deepEqual(
    [answer.status, /http-equiv="refresh"/.test(text), /Nothing was changed/.test(text)],
    [503, false, true],
  )
})

test('a page that cannot reach the database says so, and reloads itself', async () => {
  const answer = await ask(new Error('list', { cause: new StoreUnavailable({ cause: new Error('ECONNREFUSED') }) }))
  const text = await answer.text()
  assert.deepEqual(
    [answer.status, answer.headers.get('retry-after'), titleOf(text), /http-equiv="refresh" content="5"/.test(text)],
    [503, '5', 'Database not available', true],
  )
})

test('a form that loses the database does not claim that nothing was changed', async () => {
  const answer = await ask(new StoreUnavailable({ cause: new Error('ECONNRESET') }), 'POST')
  const text = await answer.text()
  assert.deepEqual(
    [answer.status, titleOf(text), /Nothing was changed/.test(text), /check whether your change was saved/.test(text)],
    [503, 'Database not available', false, true],
  )
})

test('a page that finds a repository or the PDFs busy reloads itself, a form is not replaced', async () => {
  const answers = [new TooManyWaiting(), new BucketUnavailable('no answer')].flatMap((error) =>
    ['GET', 'POST'].map(async (method) => {
      const answer = await ask(error, method)
      const text = await answer.text()
      return [answer.status, /http-equiv="refresh"/.test(text), /go back and send the form again/.test(text)]
    }),
  )
  const [page, form] = [
    [503, true, false],
    [503, false, true],
  ]
  assert.deepEqual(await Promise.all(answers), [page, form, page, form])
})

test('the text of an edit that finds the database locked is kept, and programs are told when to try again', async () => {
  const form = { path: '/alice/tides/edit/main/paper.tex', body: new URLSearchParams({ text: 'Ebb & flow.' }) }
  const answer = await ask(new StoreBusy({ cause: null }), 'POST', form)
  const text = await answer.text()
  assert.deepEqual(
    [answer.status, answer.headers.get('retry-after'), text.includes('Ebb &amp; flow.')],
    [503, '5', true],
  )
})

test('an internal error shows the request id and the contact, without details', async () => {
  const answer = await ask(new Error('the secret of the house'))
  const text = await answer.text()
  assert.equal(answer.status, 500)
  assert.match(text, /Request <code>b3f9<\/code>[\s\S]*Contact alice@uni\.example\./)
  assert.doesNotMatch(text, /secret of the house/)
  assert.match(host.logged(), /the secret of the house/)
})
