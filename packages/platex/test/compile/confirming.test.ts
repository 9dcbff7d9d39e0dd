import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CompileJob, ConfirmingPdf } from '../../src/compile/job.ts'
import { runPipeline } from '../../src/compile/run-pipeline.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { corpusJob, withoutMarks } from '../support/compile-document.ts'

const sandbox = await openSandbox('auto')
const article = (body: string): string => `\\documentclass{article}\\begin{document}${body}\\end{document}\n`

function job(body: string, more: Partial<CompileJob> = {}): CompileJob {
  const files = new Map([['main.tex', new TextEncoder().encode(article(body))]])
  return { ...corpusJob({ files, engine: 'pdflatex' }, sandbox), ...more }
}

/**
 * Compiles texts one after the other, each with the warm-start files of the one before. Returns the names of the events
 * in order.
 */
async function compileEdit(before: string, after: string) {
  const { aux } = await runPipeline(job(before))
  const events: string[] = []
  const confirming: ConfirmingPdf[] = []
  const { result } = await runPipeline(
    job(after, {
      warmStartFiles: aux,
      onProgress: ({ kind }) => events.push(kind),
      onConfirming: (one) => {
        events.push('confirming')
        confirming.push(one)
      },
    }),
  )
  return { events: events.filter((kind) => kind === 'confirming' || kind === 'pass-started'), confirming, result }
}

describe('runPipeline with onConfirming', { concurrency: 2 }, () => {
  test('offers the PDF before a pass that TeX does not ask for', async () => {
    const { events, confirming, result } = await compileEdit('One.', 'One.\\newpage Two.')
    assert.deepEqual(events, ['pass-started', 'confirming', 'pass-started'])
    const pdfs = [...confirming.map(({ pdf }) => pdf), result.pdf].map(withoutMarks)
    assert.deepEqual([new Set(pdfs).size, confirming[0]?.pages], [1, 2])
  })

  for (const [title, before, after] of [
    ['a label has moved', '\\label{a}\\pageref{a}', '\\mbox{}\\newpage\\label{a}\\pageref{a}'],
    ['a reference is undefined', 'One.', 'One.\\newpage\\ref{a}'],
    ['a list is missing', 'One.', 'One.\\newpage\\listoffigures'],
    ['there is an error', 'One.', 'One.\\newpage\\undefinedcommand'],
    ['no pass is left', 'One.', 'Two.'],
  ] as const) {
    test(`offers no PDF if ${title}`, async () => {
      assert.deepEqual((await compileEdit(before, after)).confirming, [])
    })
  }
})
