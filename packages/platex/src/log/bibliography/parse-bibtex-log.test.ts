import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseBibtexLog } from './parse-bibtex-log.ts'

const sources = new Map([
  [
    'main.tex',
    '\\documentclass{article}\n\\begin{document}\n\\cite{gone}\n\\bibliography{refs,nofile}\n\\end{document}\n',
  ],
  ['refs.bib', '@book{one,\n  title = {T}\n  year = 2000\n}\n@book{two, title={T}}\n'],
])

function parse(lines: readonly string[]): ReturnType<typeof parseBibtexLog> {
  return parseBibtexLog(Buffer.from(lines.join('\n')), sources)
}

describe('parseBibtexLog', () => {
  it('does not take a database named after fatal errors for one', () => {
    assert.deepEqual(parse(['The style file: plain.bst', 'Database file #1: fatal-crashes.bib']).errors, [])
  })

  it('returns a fatal error once', () => {
    const log = ["Sorry---you've exceeded BibTeX's total number of fields 17250", '(That was a fatal error)']
    assert.deepEqual(
      parse(log).errors.map(({ message }) => message),
      [log[0]],
    )
  })

  it('returns an internal error of BibTeX', () => {
    const log = [
      "Unknown literal type---this can't happen",
      '*Please notify the BibTeX maintainer*',
      '(That was a fatal error)',
    ]
    assert.deepEqual(
      parse(log).errors.map(({ message }) => message),
      [log[0]],
    )
  })

  it('reads the database line and the text that BibTeX reports', () => {
    const log = [
      "I was expecting a `,' or a `}'---line 3 of file refs.bib",
      ' :   ',
      ' :   year = 2000',
      '(Error may have been on previous line)',
    ]
    assert.deepEqual(parse(log).errors, [
      {
        type: 'error',
        file: 'refs.bib',
        line: 3,
        message: "I was expecting a `,' or a `}'",
        context: ' :\n :   year = 2000\n(Error may have been on previous line)',
        source: 'bibtex',
      },
    ])
  })

  it('finds the command that requests a missing database', () => {
    const log = [
      "I couldn't open database file nofile.bib",
      '---line 6 of file main.aux',
      ' : \\bibdata{refs,nofile',
      ' :                     }',
    ]
    const found = parse(log).errors.map(({ file, line, message }) => ({ file, line, message }))
    assert.deepEqual(found, [{ file: 'main.tex', line: 4, message: "I couldn't open database file nofile.bib" }])
  })

  it('finds the command that includes a chapter with a space in its name', () => {
    const chapters = new Map([['main.tex', '\\documentclass{book}\n\\include{one}\n\\include{high tide/one two}\n']])
    const log = [
      'White space in argument---line 3 of file main.aux',
      ' : \\@input{high',
      ' :             tide/one two.aux}',
    ]
    assert.deepEqual(
      parseBibtexLog(Buffer.from(log.join('\n')), chapters).errors.map(({ file, line }) => [file, line]),
      [['main.tex', 3]],
    )
  })

  it('finds the citation without an entry and the entry without a field', () => {
    const log = ['Warning--I didn\'t find a database entry for "gone"', 'Warning--empty author and editor in two']
    assert.deepEqual(parse(log).warnings, [
      {
        type: 'warning',
        code: 'undefined-citation',
        file: 'main.tex',
        line: 3,
        message: 'BibTeX: I didn\'t find a database entry for "gone"',
      },
      { type: 'warning', code: 'other', file: 'refs.bib', line: 5, message: 'BibTeX: empty author and editor in two' },
    ])
  })

  it('omits missing entries that the document has as \\bibitem, but not those in a .bbl', () => {
    const sources = new Map([
      ['main.tex', '\\cite{smith,jones}\n\\bibitem[Smith(2000)]{smith} Smith.\n'],
      ['main.bbl', '\\bibitem{jones} Jones.\n'],
    ])
    const log = ['smith', 'jones'].map((key) => `Warning--I didn't find a database entry for "${key}"`)
    assert.deepEqual(
      parseBibtexLog(Buffer.from(log.join('\n')), sources).warnings.map(({ message }) => message),
      ['BibTeX: I didn\'t find a database entry for "jones"'],
    )
  })

  it('finds the command that cites a missing key, not one that cites a longer key', () => {
    const cited = new Map([['main.tex', 'On smith:\n\\cite{smith2000}\n\\textcite[see][p. 2]{other, smith}\n']])
    const log = Buffer.from('Warning--I didn\'t find a database entry for "smith"')
    assert.deepEqual(
      parseBibtexLog(log, cited).warnings.map(({ file, line }) => [file, line]),
      [['main.tex', 3]],
    )
  })

  it('places a warning for each entry of a large database', () => {
    const keys = Array.from({ length: 20_000 }, (_, at) => `key${at}`)
    const database = keys.map((key) => `@book{${key},\n  title = {T},\n  author = {A},\n  year = 2000\n}\n`).join('')
    const log = Buffer.from(keys.map((key) => `Warning--empty publisher in ${key}`).join('\n'))
    const { warnings } = parseBibtexLog(log, new Map([['refs.bib', database]]))
    assert.deepEqual(
      warnings.map(({ line }) => line),
      keys.map((_, at) => 5 * at + 1),
    )
  })
})
