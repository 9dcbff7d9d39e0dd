import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { DOCUMENT_CASES } from './cases/all-cases.ts'
import { HTTP_CASES } from './cases/http.ts'
import { runDocumentCase, runHttpCase } from './run-case.ts'
import { startTarget, type Target } from './start-target.ts'

const documentCases = DOCUMENT_CASES.filter((hostile) => hostile.isQuick)
const httpCases = HTTP_CASES.filter((hostile) => hostile.isQuick)

describe('the compile service under attack', () => {
  let target: Target

  before(async () => {
    target = await startTarget('required')
  })

  after(() => target.stop())

  for (const hostile of documentCases) {
    test(`comes out of ${hostile.name} as it should`, async () => {
      assert.deepEqual((await runDocumentCase(target, hostile)).problems, [])
    })
  }

  for (const hostile of httpCases) {
    test(`comes out of ${hostile.name} as it should`, async () => {
      assert.deepEqual((await runHttpCase(target, hostile)).problems, [])
    })
  }
})

test('the hostile suite has at least 200 cases, 60 of them quick, each with its own name', () => {
  const names = [...DOCUMENT_CASES, ...HTTP_CASES].map((hostile) => hostile.name)
  const quickCount = documentCases.length + httpCases.length
  assert.deepEqual([names.length >= 200, quickCount >= 60, new Set(names).size], [true, true, names.length])
})
