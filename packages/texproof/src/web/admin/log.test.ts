import assert from 'node:assert/strict'
import { test } from 'node:test'

import { csvLine } from './log.ts'

test('csvLine quotes cells with a comma, a quote or a line end', () => {
  assert.equal(csvLine(['plain', 'a, b', 'say "so"', 'two\nlines', '']), 'plain,"a, b","say ""so""","two\nlines",\r\n')
})

test('csvLine escapes cells that a spreadsheet would run as a formula', () => {
  const cells = ['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', '\r=1', '=HYPERLINK("http://x.example")', 'a=1', '1-1']
  assert.equal(
    csvLine(cells),
    `'=1+1,'+1,'-1,'@SUM(A1),' =1,'\t=1,"'\r=1","'=HYPERLINK(""http://x.example"")",a=1,1-1\r\n`,
  )
})
