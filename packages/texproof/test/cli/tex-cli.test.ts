import assert from 'node:assert/strict'
import { test } from 'node:test'

import { runTexproof } from '../support/programs/run-texproof.ts'

test('texproof tex info prints the release and the programs', async () => {
  const { exitCode, stdout } = await runTexproof(['tex', 'info'])
  assert.equal(exitCode, 0)
  assert.match(stdout, /^TeX Live \d{4}[^\n]*: \d+ packages, \d+ classes, \d+ fonts\npdflatex +1\.\d+/)
})

test('texproof tex search says whether a package is installed, in its output and exit code', async () => {
  const search = (name: string) => runTexproof(['tex', 'search', name])
  const [there, slip, none] = await Promise.all([search('graphicx'), search('grahpicx'), search('../x')])
  assert.match(there.stdout, /^graphicx\.sty  \d{4}-\d\d-\d\d/)
  assert.deepEqual(
    [there.exitCode, slip.exitCode, slip.stdout, none.exitCode],
    [0, 1, 'grahpicx is not installed.\nSimilar names: graphicx\n', 1],
  )
})

test('texproof tex search --json prints the same as JSON', async () => {
  const { stdout } = await runTexproof(['tex', 'search', 'article', '--json'])
  const { kind, fileName } = JSON.parse(stdout) as { kind: string; fileName: string }
  assert.deepEqual([kind, fileName], ['installed', 'article.cls'])
})
