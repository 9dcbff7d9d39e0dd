import assert from 'node:assert/strict'
import { test } from 'node:test'

import { breakable } from './breakable.ts'

test('breakable() lets a text wrap after slashes and underscores, but not after the scheme of an address', () => {
  assert.equal(
    String(breakable('git clone https://git.example/alice/field_notes.git')),
    'git clone https://git.example/<wbr />alice/<wbr />field_<wbr />notes.git',
  )
  assert.equal(
    String(breakable('texproof demo --clean --data /srv/papers')),
    'texproof demo <span class="one-line">--clean</span> <span class="one-line">--data</span> /<wbr />srv/<wbr />papers',
  )
  assert.equal(String(breakable('a<b/__main__.tex')), 'a&lt;b/__<wbr />main__<wbr />.tex')
})
