import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readDriverOutput } from './read-driver-output.ts'

describe('readDriverOutput', () => {
  it('reads messages of the driver, not text that the document printed', () => {
    const stdout = [
      'xdvipdfmx:fatal: printed',
      'xdvipdfmx:warning: Trailer damaged',
      'xdvipdfmx:fatal: Cannot proceed',
      'No output PDF file written.',
    ]
    const messages = readDriverOutput(Buffer.from(stdout.join('\n')), ['xdvipdfmx:fatal: printed'])
    assert.deepEqual(messages, [
      { severity: 'warning', message: 'xdvipdfmx:warning: Trailer damaged' },
      { severity: 'error', message: 'xdvipdfmx:fatal: Cannot proceed' },
    ])
  })

  it('reads messages of dvips and Ghostscript among their progress', () => {
    const output = [
      'This is dvips(k) 2022.1 (TeX Live 2022)  Copyright 2022 Radical Eye Software (www.radicaleye.com)',
      "' TeX output 2026.11.23:2059' -> main.ps",
      '</usr/share/texlive/texmf-dist/fonts/type1/public/amsfonts/cm/cmr10.pfb>[1',
      'dvips: Could not find figure file tide.eps; continuing.',
      '] [2] ',
      'Error: /undefined in foo',
      'Operand stack:',
      'GPL Ghostscript 10.00.0: Unrecoverable error, exit code 1',
    ]
    assert.deepEqual(readDriverOutput(Buffer.from(output.join('\n')), []), [
      { severity: 'error', message: 'dvips: Could not find figure file tide.eps; continuing.' },
      { severity: 'error', message: 'Ghostscript could not make the PDF: /undefined in foo' },
    ])
  })
})
