import assert from 'node:assert/strict'
import { test } from 'node:test'
import { translateFileOf } from './engine-command.ts'

test('translateFileOf() reads the table of characters from the first line only', () => {
  const sources = [
    '%& --translate-file=il2-pl\n\\documentclass{article}',
    '%&latex -translate-file cp1250pl.tcx\r\n',
    '%&latex\n%& --translate-file=il2-pl',
    '% &--translate-file=il2-pl\n',
    '%& --translate-file=../../secret\n',
    '%& --translate-file="a b"\n',
    '',
  ]
  assert.deepEqual(
    sources.map((source) => translateFileOf(Buffer.from(source))),
    ['il2-pl', 'cp1250pl', null, null, null, null, null],
  )
})
