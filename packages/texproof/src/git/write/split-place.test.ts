import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { splitPlace } from './split-place.ts'

test('splitPlace() splits at paragraphs, and at nothing smaller', () => {
  assert.deepEqual(splitPlace({ mine: 'A.\n\nSame.\n\nB.\n', theirs: 'C.\n\nSame.\n\nD.\n' }), [
    { kind: 'place', mine: 'A.\n', theirs: 'C.\n' },
    { kind: 'settled', text: '\nSame.\n\n' },
    { kind: 'place', mine: 'B.\n', theirs: 'D.\n' },
  ])
  const whole = { mine: 'A.\n}\nB.\n', theirs: 'C.\n}\nD.\n' }
  assert.deepEqual(splitPlace(whole), [{ kind: 'place', ...whole }])
  assert.deepEqual(splitPlace({ mine: 'A.\n\nB.\n', theirs: '' }), [{ kind: 'place', mine: 'A.\n\nB.\n', theirs: '' }])
})

test('splitPlace() keeps every line of both versions', () => {
  const lines = fc.array(fc.constantFrom('a\n', 'b\n', '\n'), { maxLength: 12 })
  fc.assert(
    fc.property(lines, lines, (left, right) => {
      const [mine, theirs] = [left.join(''), right.join('')]
      const parts = splitPlace({ mine, theirs })
      const side = (of: 'mine' | 'theirs') =>
        parts.map((part) => (part.kind === 'settled' ? part.text : part[of])).join('')
      assert.deepEqual([side('mine'), side('theirs')], [mine, theirs])
    }),
  )
})
