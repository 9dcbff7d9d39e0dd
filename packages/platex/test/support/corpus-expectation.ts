import type { CompiledDocument } from './compile-document.ts'
import type { CorpusDocument } from './read-corpus.ts'

/** Expected result of a corpus document. */
export type Expectation = Pick<CorpusDocument, 'passes' | 'tools' | 'errors' | 'end'>

export function expectationOf({ passes, tools, errors, end }: CorpusDocument): Expectation {
  return { passes, tools, errors, end }
}

/** The actual result of a compile. */
export function describeCompile({ history, result }: CompiledDocument): Expectation {
  return {
    passes: history.runs.filter((run) => run.kind === 'engine').length,
    tools: history.runs.flatMap((run) => (run.kind === 'tool' ? [`${run.plan.tool} ${run.plan.subject}`] : [])),
    errors: result.errors.map((error) => error.message),
    end:
      history.end.kind === 'unstable' && history.end.cycle !== null
        ? `cycle of ${history.end.cycle}`
        : history.end.kind,
  }
}
