import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { unwrapLines } from './unwrap-lines.ts'

describe('unwrapLines', () => {
  it('joins lines that pdfTeX broke at 79 bytes, of any length', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '/', '.'), minLength: 0, maxLength: 500 })
    fc.assert(
      fc.property(
        fc.array(
          line.filter((text) => text.length % 79 !== 0 && !text.startsWith(' ')),
          { minLength: 1 },
        ),
        (lines) => {
          const padded = lines.map((text) => `x${text}y`).filter((text) => text.length % 79 !== 0)
          const broken = padded.flatMap((text) => text.match(/.{1,79}/g) ?? [''])
          assert.deepEqual(unwrapLines(broken, 'pdflatex'), padded)
        },
      ),
    )
  })

  it('keeps a log without broken lines', () => {
    const lines = ['short', 'x'.repeat(79), 'y'.repeat(200), 'z'.repeat(150), 'more']
    assert.deepEqual(unwrapLines(lines, 'pdflatex'), lines)
  })

  it('does not join a full line with the message below it', () => {
    const lines = ['x'.repeat(79), '! Undefined control sequence.', 'y'.repeat(79), 'LaTeX Warning: text']
    assert.deepEqual(unwrapLines(lines, 'pdflatex'), lines)
  })

  it('does not join a full line with the context of an error below it', () => {
    const sources = [
      '*',
      'argument',
      'everycr',
      'everydisplay',
      'everyeof',
      'everyhbox',
      'everyjob',
      'everymath',
      'everypar',
      'everyvbox',
      'insert',
      'inserted text',
      'local',
      'mark',
      'output',
      'read *',
      'read 0',
      'recently read',
      'template',
      'to be read again',
      'write',
      'XeTeXinterchartoks',
    ]
    for (const source of sources) {
      const lines = ['x'.repeat(79), `<${source}> \\foo`, 'y'.repeat(79), '']
      assert.deepEqual(unwrapLines(lines, 'pdflatex'), lines)
    }
  })

  it('does not join a context line that TeX cut at another width', () => {
    const lines = [' '.repeat(40) + 'text '.repeat(7) + 't...', 'l.3 \\foo']
    assert.equal(lines[0]?.length, 79)
    assert.deepEqual(unwrapLines(lines, 'pdflatex'), lines)
  })

  it('counts characters for XeTeX and bytes without splitting one for LuaTeX', () => {
    const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
    const xetex = [bytesOf('é'.repeat(79)), 'rest']
    assert.deepEqual(unwrapLines(xetex, 'xelatex'), [xetex.join('')])
    const luatex = [bytesOf('é'.repeat(39)), bytesOf('é and more')]
    assert.deepEqual(unwrapLines([...luatex, '', 'x'.repeat(79), '', ''], 'lualatex'), [
      luatex.join(''),
      '',
      'x'.repeat(79),
      '',
      '',
    ])
  })
})
