import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseBiberLog } from './parse-biber-log.ts'

const sources = new Map([
  ['main.tex', '\\documentclass{article}\n\\addbibresource{refs.bib}\n\\addbibresource{gone.bib}\n\\cite{nobody}\n'],
  ['refs.bib', '@book{one,\n  title = {T}\n  year = 2000\n}\n@book{one, title={T}}\n'],
])

function parse(lines: readonly string[]): ReturnType<typeof parseBiberLog> {
  return parseBiberLog(Buffer.from(lines.join('\n')), sources)
}

describe('parseBiberLog', () => {
  it('reports an error in the copy of a database for the database', () => {
    const log = [
      "[289] bibtex.pm:1518> INFO - Found BibTeX data source 'refs.bib'",
      '[352] Utils.pm:399> ERROR - BibTeX subsystem: /tmp/biber_tmp_a/0f3e_12.utf8, line 3, syntax error: found "year"',
    ]
    const message = 'BibTeX subsystem: refs.bib, line 3, syntax error: found "year"'
    assert.deepEqual(parse(log), {
      errors: [{ type: 'error', file: 'refs.bib', line: 3, message, context: null, source: 'biber' }],
      warnings: [],
    })
  })

  it('finds a missing database, a repeated entry and a citation without one', () => {
    const log = [
      "ERROR - Cannot find 'gone.bib'!",
      "WARN - Duplicate entry key: 'one' in file 'refs.bib', skipping ...",
      "WARN - I didn't find a database entry for 'nobody' (section 0)",
    ]
    const { errors, warnings } = parse(log)
    assert.deepEqual(
      [...errors, ...warnings].map(({ file, line }) => [file, line]),
      [
        ['main.tex', 3],
        ['refs.bib', 5],
        ['main.tex', 4],
      ],
    )
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['other', 'undefined-citation'],
    )
  })

  it('joins a message that continues without a prefix', () => {
    const log = [
      'ERROR - Error: Found biblatex control file version 3.9, expected version 3.8.',
      'The versions do not match.',
    ]
    const [error] = parse(log).errors
    assert.equal(
      error?.message,
      'Error: Found biblatex control file version 3.9, expected version 3.8. The versions do not match.',
    )
  })
})

it('parseBiberLog does not join lines of 79 characters, which biber never breaks', () => {
  const info = '[1234] Utils.pm:399> INFO - '.padEnd(79, 'x')
  const lines = Array.from({ length: 4 }, () => info)
  const log = [...lines, '[12] x.pm:3> ERROR - BibTeX subsystem: bad entry'].join('\n')
  assert.deepEqual(
    parseBiberLog(Buffer.from(log), sources).errors.map(({ message }) => message),
    ['BibTeX subsystem: bad entry'],
  )
})
