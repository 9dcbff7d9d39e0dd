import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { codeOf } from '../../src/explain/explain-diagnostic.ts'
import { runPipeline } from '../../src/compile/run-pipeline.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { Sandbox } from '../../src/sandbox/types.ts'
import { corpusJob } from '../support/compile-document.ts'
import { listExpected, withoutMarks, type ExpectedCause, type ExplainedDocument } from './explained-document.ts'

/** Registers a test for each document: its causes have the file, line and code of its marks. */
export function testExplanations(documents: readonly ExplainedDocument[]): void {
  describe('explanations of broken documents', { concurrency: 2 }, () => {
    let sandbox: Sandbox
    before(async () => {
      sandbox = await openSandbox('auto')
    })
    for (const document of documents) {
      it(`runPipeline explains ${document.title} (${document.engine})`, async () => {
        assert.deepEqual((await listCauses(document, sandbox)).toSorted(), listExpected(document).toSorted())
      })
    }
  })
}

/** Errors without a cause, and warnings with an explanation. */
async function listCauses(document: ExplainedDocument, sandbox: Sandbox): Promise<readonly ExpectedCause[]> {
  const { result } = await runPipeline(corpusJob({ files: withoutMarks(document), engine: document.engine }, sandbox))
  const warnings = result.warnings.filter(({ code, summary }) => summary !== undefined && !isReference(code))
  return [...result.errors.filter(({ cause }) => cause === undefined), ...warnings].map((problem) => [
    problem.file,
    problem.line,
    codeOf(problem) ?? 'none',
  ])
}

/** Citations and references are undefined if a document has no PDF. */
function isReference(code: string): boolean {
  return code === 'undefined-citation' || code === 'undefined-reference'
}
