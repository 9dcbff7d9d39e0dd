import assert from 'node:assert/strict'
import { test } from 'node:test'

import { authorName } from './author-name.ts'

test('authorName() is the display name without the characters that end a name in git, or the username', () => {
  const names = [null, '', 'Alice <A.>\n', ' Alice Adams ', '<>', '< \u0007>']
  assert.deepEqual(
    names.map((name) => authorName({ name, login: 'alice' })),
    ['alice', 'alice', 'Alice A.', 'Alice Adams', 'alice', 'alice'],
  )
})
