import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { createPlatexClient } from '../../src/api/index.ts'
import type { CompileResult } from '../../src/base/types.ts'
import { startService, type LiveService } from '../support/start-service.ts'

const paper = (words: string): string =>
  `\\documentclass{article}\\begin{document}\\tableofcontents\\section{Tides}${words}\\end{document}`

interface Request {
  readonly source: string
  readonly session?: string
  readonly timeout?: number
}

async function post(service: LiveService, request: Request, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`${service.url}/compile`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(request),
  })
  const body = (await answer.json()) as CompileResult
  return { status: answer.status, cache: answer.headers.get('x-cache'), passes: body.stats?.passes, body }
}

const asAlice = { authorization: 'Bearer alice' }
const asBob = { authorization: 'Bearer bob' }

describe('the result cache of POST /compile', { concurrency: 2 }, () => {
  test('answers an identical request with the same body and X-Cache: hit, and compiles once', async () => {
    await using service = await startService()
    const first = await post(service, { source: paper('One.') })
    const second = await post(service, { source: paper('One.') })
    assert.deepEqual([first.cache, second.cache, second.body], ['miss', 'hit', first.body])
    assert.equal(service.events.filter(({ kind }) => kind === 'compiled').length, 1)
  })

  test('compiles again for another document, other options and Cache-Control: no-cache', async () => {
    await using service = await startService()
    const source = paper('Two.')
    await post(service, { source })
    const outcomes = [
      await post(service, { source: paper('Other.') }),
      await post(service, { source, timeout: 20_000 }),
      await post(service, { source }, { 'cache-control': 'no-cache' }),
    ]
    assert.deepEqual(
      outcomes.map(({ cache }) => cache),
      ['miss', 'miss', 'miss'],
    )
  })

  test('lets an identical request join the running compile', async () => {
    await using service = await startService({ maxConcurrentCompiles: 4 })
    const answers = await Promise.all(['', '', ''].map(() => post(service, { source: paper('Three.') })))
    assert.deepEqual(answers.map(({ cache }) => cache).sort(), ['coalesced', 'coalesced', 'miss'])
    assert.equal(service.events.filter(({ kind }) => kind === 'compiled').length, 1)
  })

  test('continues the compile for joined callers when the first one disconnects', async () => {
    await using service = await startService({ maxConcurrentCompiles: 4 })
    const abort = new AbortController()
    const body = JSON.stringify({ source: paper('Four.') })
    const first = fetch(`${service.url}/compile`, { method: 'POST', body, signal: abort.signal })
    const gone = assert.rejects(first, { name: 'AbortError' })
    const second = post(service, { source: paper('Four.') })
    setTimeout(() => abort.abort(), 150)
    await gone
    assert.ok((await second).body.pdf)
  })

  test('does not store the result of a compile that timed out', async () => {
    await using service = await startService()
    const request = {
      source: '\\documentclass{article}\\begin{document}\\loop\\iftrue\\repeat\\end{document}',
      timeout: 500,
    }
    const caches = [(await post(service, request)).cache, (await post(service, request)).cache]
    assert.deepEqual(caches, ['miss', 'miss'])
  })

  test('never uses results or running compiles of other credentials', async () => {
    await using service = await startService({ maxConcurrentCompiles: 4 })
    const source = paper('Five.')
    const together = await Promise.all([post(service, { source }, asAlice), post(service, { source }, asBob)])
    const later = await post(service, { source })
    assert.deepEqual(
      [...together, later].map(({ cache }) => cache),
      ['miss', 'miss', 'miss'],
    )
  })
})

test('a public service without a key stores nothing, whatever credentials a caller sends', async () => {
  await using service = await startService({ isPublic: true, maxConcurrentCompiles: 4 })
  const request = { source: paper('Six.'), session: 'a' }
  const together = await Promise.all([post(service, request), post(service, request)])
  const later = await post(service, request)
  const named = [await post(service, request, asAlice), await post(service, request, asAlice)]
  assert.deepEqual(
    [...together, later, ...named].map(({ cache, passes }) => [cache, passes]),
    Array.from({ length: 5 }, () => ['miss', 2]),
  )
})

test('a public service with a key stores results for the holder of the key', async () => {
  await using service = await startService({ isPublic: true, apiKey: 'alice' })
  const request = { source: paper('Six.') }
  const named = [await post(service, request, asAlice), await post(service, request, asAlice)]
  assert.deepEqual(
    named.map(({ cache, passes }) => [cache, passes]),
    [
      ['miss', 2],
      ['hit', 2],
    ],
  )
})

describe('a session of POST /compile', { concurrency: 2 }, () => {
  test('starts each compile from the auxiliary files of the last one', async () => {
    await using service = await startService()
    const first = await post(service, { source: paper('One.'), session: 'a' })
    const second = await post(service, { source: paper('Two.'), session: 'a' })
    const without = await post(service, { source: paper('Two.') })
    assert.deepEqual([first.passes, second.passes, without.passes], [2, 1, 2])
  })

  test('is unknown under other credentials, to other services and to other documents', async () => {
    await using service = await startService()
    await using other = await startService()
    await post(service, { source: paper('One.'), session: 'a' }, asAlice)
    const passes = [
      await post(service, { source: paper('Two.'), session: 'a' }, asBob),
      await post(service, { source: paper('Two.'), session: 'a' }),
      await post(service, { source: paper('Two.'), session: 'b' }, asAlice),
      await post(other, { source: paper('Two.'), session: 'a' }, asAlice),
      await post(service, { source: paper('Two.'), session: 'a' }, asAlice),
    ].map((answer) => answer.passes)
    assert.deepEqual(passes, [2, 2, 2, 2, 1])
  })

  test('works through the client, for local and remote compiles', async () => {
    await using service = await startService()
    for (const serviceUrl of ['', service.url]) {
      const { compile } = createPlatexClient({ serviceUrl, session: 'client' })
      const first = await compile(paper('One.'))
      const second = await compile(paper('Two.'))
      assert.deepEqual([first.stats?.passes, second.stats?.passes], [2, 1])
    }
  })

  test('has a name of letters, digits and some punctuation', async () => {
    await using service = await startService()
    const { status } = await post(service, { source: paper('One.'), session: '../a' })
    assert.equal(status, 400)
  })
})
