import assert from 'node:assert/strict'
import { test } from 'node:test'

import { findTomlLine } from './find-toml-line.ts'

const text = `# listen = "not this"
listen = ":1"
log . level = "info"
"base_url" = 'x'
push = { max_bytes = "1g" }

[build]
# timeout = "no"
timeout = "10s"
  [ "cache" ]
timeout = "0s"
max_bytes = "1g"
`

test('findTomlLine() finds a plain, dotted or quoted key, in a table and in an inline table', () => {
  const keys = ['listen', 'log.level', 'base_url', 'push.max_bytes', 'build.timeout', 'cache.max_bytes', 'timeout']
  assert.deepEqual(
    keys.map((key) => findTomlLine(text, key)),
    [2, 3, 4, 5, 9, 12, null],
  )
})
