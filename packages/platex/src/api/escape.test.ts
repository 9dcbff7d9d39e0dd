import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { escapeLatex, raw, tex } from './escape.ts'

describe('escapeLatex', () => {
  for (const [text, latex] of [
    ['plain text, with (brackets) and 1/2 + 3 = x!', 'plain text, with (brackets) and 1/2 + 3 = x!'],
    ['50% of $5 & #1_x', '50\\% of \\$5 \\& \\#1\\_x'],
    ['\\input{/etc/passwd}', '\\textbackslash{}input\\{/etc/passwd\\}'],
    ['~^', '\\textasciitilde{}\\textasciicircum{}'],
    ['^^5c', '\\textasciicircum{}\\textasciicircum{}5c'],
    ['<a|b>', '\\textless{}a\\textbar{}b\\textgreater{}'],
    ['--- -- -', '-{}-{}- -{}- -'],
    ["don't ''", "don't '{}'"],
    ['?`!`', '?\\textasciigrave{}!\\textasciigrave{}'],
    ['"a"', '{\\char34}a{\\char34}'],
    ['[3]', '{[}3{]}'],
    ['one\n\n\ntwo\r\nthree\tfour', 'one two three four'],
    ['a\u0000b\u0007c\u007f', 'abc'],
    ['Zoë 東京 🎉', 'Zoë 東京 🎉'],
    ['', ''],
  ] as const) {
    test(`writes ${JSON.stringify(text)} as ${latex}`, () => assert.equal(escapeLatex(text), latex))
  }

  test('keeps 200,000 blanks without a line break, in a few milliseconds', () => {
    const text = `${' '.repeat(200_000)}x`
    const startedAt = performance.now()
    assert.equal(escapeLatex(text), text)
    assert.ok(performance.now() - startedAt < 1_000)
  })

  test('outputs no foreign command, unbalanced brace or line break, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const rest = escapeLatex(text)
          .replaceAll(
            /\\(?:textbackslash|textasciicircum|textasciitilde|textless|textgreater|textbar|textasciigrave)\{\}/g,
            '',
          )
          .replaceAll(/\{\\char34\}|\{\[\}|\{\]\}|(?<=[-',])\{\}|\\[{}$&#%_]/g, '')
        assert.doesNotMatch(rest, /[\\{}$&#%_^~\n\r]/)
      }),
    )
  })
})

describe('tex', () => {
  test('escapes values and inserts its own text as typed', () => {
    assert.equal(tex`\textbf{${'A & B'}}: ${3} \\`, String.raw`\textbf{A \& B}: 3 \\`)
  })

  test('joins lists, skips null and undefined, and inserts raw LaTeX unescaped', () => {
    assert.equal(tex`${['a_', raw('\\par '), 1n]}${null}${undefined}${[]}`, 'a\\_\\par 1')
  })
})
