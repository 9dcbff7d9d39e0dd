import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { compileDocument, withoutMarks } from '../support/compile-document.ts'
import { describeCompile, expectationOf } from '../support/corpus-expectation.ts'
import { readCorpus } from '../support/read-corpus.ts'

// Some documents of the corpus and one further pass; all of them and three passes are `npm run test:corpus`.
const sandbox = await openSandbox('auto')
const documents = (await readCorpus()).filter((document) => document.isQuick)

describe('runPasses', { concurrency: 2 }, () => {
  for (const document of documents) {
    test(`ends ${document.name} as expected, with the PDF that a further pass would make`, async () => {
      const compiled = await compileDocument(document, { sandbox, furtherPasses: 1 })
      assert.deepEqual(describeCompile(compiled), expectationOf(document))
      const isSettled = document.end === 'converged'
      assert.equal(isSettled && withoutMarks(compiled.result.pdf) !== withoutMarks(compiled.laterPdf), false)
    })
  }
})
