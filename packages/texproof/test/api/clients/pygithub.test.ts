import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'

import { missingProgram, openTourHost, runTour } from '../../support/client-tour.ts'

const python = '/usr/bin/python3'
const skip = await missingProgram(python, ['-c', 'import github'])

test('PyGithub completes the tour', { skip }, async (context) => {
  const tour = await openTourHost()
  context.after(() => tour.host.close())
  const input = await readFile(new URL('pygithub.py', import.meta.url), 'utf8')
  assert.deepEqual(await runTour(python, ['-'], { input, env: tour.env }), tour.expected('by-pygithub'))
})
