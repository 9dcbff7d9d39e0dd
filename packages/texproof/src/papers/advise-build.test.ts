import assert from 'node:assert/strict'
import { before, test } from 'node:test'

import type { LatexError } from '@texproof/platex'
import { openProjectCompiler } from '@texproof/platex/project'
import type { ProjectCompiler } from '@texproof/platex/project'

import { adviseBuild } from './advise-build.ts'

let compiler: ProjectCompiler

before(async () => {
  compiler = await openProjectCompiler({ sandbox: 'auto' })
})

async function adviseOn(name: string): Promise<string> {
  const message = `LaTeX Error: File \`${name}' not found.`
  const error: LatexError = { type: 'error', file: null, line: null, message, context: null, source: 'latex' }
  const { errors } = await adviseBuild({ errors: [error], warnings: [] }, { files: new Map(), compiler })
  return `${errors[0]?.advice?.summary} ${errors[0]?.advice?.remedy}`
}

test('adviseBuild tells what brings a package that TeX Live has and the host has not', async (t) => {
  const candidates = ['musixtex', 'gregoriotex', 'pst-abspos', 'skaknew']
  const answers = await Promise.all(
    candidates.map(async (name) => ({ name, answer: await compiler.findPackage(name) })),
  )
  const missing = answers.find(({ answer }) => answer.kind === 'missing')?.name
  if (missing === undefined) return t.skip('every package of TeX Live is installed here')
  assert.match(
    await adviseOn(`${missing}.sty`),
    /is part of TeX Live and not installed here\. An administrator brings it: (?:sudo apt-get|tlmgr) install \S/,
  )
})

test('adviseBuild says of other packages what the sources tell', async () => {
  assert.equal(
    await adviseOn('nosuchpkg.sty'),
    'The package "nosuchpkg" is not installed here. Check its name, or put nosuchpkg.sty into the repository.',
  )
})
