import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readNotice } from './read-notice.ts'

describe('readNotice', () => {
  const message =
    'pdfTeX warning (ext4): destination with the same identifier (name{a}) has been already used, duplicate ignored'
  const context = ['<to be read again> ', '                   \\relax ', 'l.5 \\hypertarget{a}{y}', '    \\newpage', '']
  const warning = { code: 'other', message, line: 5 }

  for (const before of ['', ') ', '[106', '(./chapter.tex [106', 'Text [106', '[105] [106', 'Load [1]'])
    test(`reads a warning of pdfTeX after "${before}"`, () => {
      const rest = before
      assert.deepEqual(readNotice([before + message, ...context], 0), { warnings: [warning], next: 5, rest })
    })

  test('reads a warning of pdfTeX on the line of a bad box', () => {
    const box = 'Overfull \\vbox (5.0pt too high) has occurred while \\output is active'
    assert.deepEqual(readNotice([`${box} [21${message}`, ...context], 0), {
      warnings: [{ code: 'overfull-vbox', message: box, line: null }, warning],
      next: 5,
      rest: ' [21',
    })
  })

  test('reads a warning to its end behind a blank line of the package', () => {
    const blank = '(foo)                '
    const log = [
      'Package foo Warning: First.',
      blank,
      '(foo)                Second on input line 7.',
      blank,
      '',
      'text',
    ]
    const message = 'Package foo Warning: First. Second on input line 7.'
    assert.deepEqual(readNotice(log, 0), {
      warnings: [{ code: 'package-warning', message, line: 7 }],
      next: 4,
      rest: '',
    })
  })
})
