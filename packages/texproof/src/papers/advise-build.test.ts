import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { LatexError } from '@texproof/platex'

import { openParsers } from '../base/open-parsers.ts'
import { adviseBuild } from './advise-build.ts'

test('adviseBuild prefers the remedy of the compiling machine to what the sources tell', async (t) => {
  const parsers = openParsers()
  t.after(() => parsers.close())
  const remedy = 'Install texlive-science on the machine that compiles: sudo apt-get install texlive-science'
  const error = (name: string): LatexError => ({
    type: 'error',
    file: null,
    line: null,
    message: `LaTeX Error: File \`${name}' not found.`,
    context: null,
    source: 'latex',
  })
  const { errors } = await adviseBuild(
    { errors: [error('nosuchpkg.sty'), { ...error('siunitx.sty'), remedy }], warnings: [] },
    { files: new Map(), parsers, ownerId: 'alice' },
  )
  assert.deepEqual(
    errors.map(({ advice }) => advice?.remedy),
    ['Check the name, or add nosuchpkg.sty to the project.', remedy],
  )
})
