import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'

import { missingProgram, openTourHost, runTour } from '../../support/client-tour.ts'

const skip = await missingProgram('ruby', ['-e', 'require "octokit"'])

test('octokit.rb completes the tour', { skip }, async (context) => {
  const tour = await openTourHost()
  context.after(() => tour.host.close())
  const input = await readFile(new URL('octokit.rb', import.meta.url), 'utf8')
  assert.deepEqual(await runTour('ruby', ['-'], { input, env: tour.env }), tour.expected('by-octokit-rb'))
})
