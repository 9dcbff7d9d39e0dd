import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { runDocument, type LogForm } from './run-document.ts'
import type { BrokenDocument, ExpectedError, ExpectedWarning } from './document.ts'
import type { Diagnostics } from '../../src/log/types.ts'
import type { Engine } from '../../src/base/types.ts'
import type { Sandbox } from '../../src/sandbox/types.ts'

interface Suite {
  readonly engine: Engine
  readonly forms: readonly LogForm[]
  readonly documents: readonly BrokenDocument[]
}

/** Registers a test for each document that `engine` can compile and each form of its log. */
export function testDocuments({ engine, forms, documents }: Suite): void {
  describe(`the log of ${engine}`, { concurrency: 3 }, () => {
    let sandbox: Sandbox
    before(async () => {
      sandbox = await openSandbox('auto')
    })
    for (const document of documents.filter(({ engines }) => engines?.includes(engine) ?? true)) {
      for (const form of forms) {
        it(`parseEngineLog places ${document.title} (${form})`, async () => {
          const passes = document.passes ?? 1
          const found = await runDocument(document.files, { sandbox, engine, form, passes })
          assert.deepEqual(summary(found, document), {
            errors: document.errors,
            warnings: document.warnings ?? [],
          })
        })
      }
    }
  })
}

interface Summary {
  readonly errors: readonly ExpectedError[]
  readonly warnings: readonly ExpectedWarning[]
}

/** Drops the warnings of every first pass, and bad boxes unless the document is about them. */
function summary({ errors, warnings }: Diagnostics, document: BrokenDocument): Summary {
  const isAboutBoxes = document.warnings?.some(([code]) => isBox(code)) ?? false
  const told = warnings.filter(({ code, message }) => !/[Rr]erun/.test(message) && (isAboutBoxes || !isBox(code)))
  return {
    errors: errors.map(({ file, line, message }) => [file ?? '', line, message]),
    warnings: told.map(({ code, file, line }) => [code, file, line]),
  }
}

function isBox(code: string): boolean {
  return code.endsWith('box')
}
