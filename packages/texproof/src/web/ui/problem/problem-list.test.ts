import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Build, BuildProblem } from '../../../domain/build.ts'
import type { Repository } from '../../../domain/types.ts'
import { problemList } from './problem-list.ts'

const repository = { name: 'tides', owner: { login: 'alice' } } as unknown as Repository
const place = { repository, pdfRef: null, editHref: null }
const error = { type: 'error', file: null, line: null, message: 'One.', context: null, source: 'latex' } as const

async function render(errors: readonly BuildProblem[]): Promise<string> {
  const html = String(await problemList({ commitId: 'c', errors, warnings: [] } as unknown as Build, place))
  return html.replaceAll(/\s+/g, ' ')
}

test('problemList() folds errors caused by another one under it', async () => {
  const html = await render([error, { ...error, message: 'Two.', cause: 0 }, { ...error, message: 'Three.' }])
  const folded =
    /<details>\s*<summary>\s*1 error that follows from it\s*<\/summary>(.*?)<\/details>/.exec(html)?.[1] ?? ''
  assert.deepEqual(
    [html, folded].map((part) => ['One.', 'Two.', 'Three.'].filter((message) => part.includes(message))),
    [['One.', 'Two.', 'Three.'], ['Two.']],
  )
})

test('problemList() shows the command that installs a missing package as code', async () => {
  const command = 'sudo apt-get install texlive-science'
  const missing = { provides: 'siunitx.sty', debian: 'texlive-science', texlive: 'siunitx', command }
  const html = await render([
    { ...error, remedy: `Install texlive-science on the machine that compiles: ${command}`, package: missing },
  ])
  assert.ok(html.includes(`Install texlive-science on the machine that compiles: <code>${command}</code>`), html)
})
