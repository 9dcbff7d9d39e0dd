import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { markLatex } from './mark-latex.ts'

for (const [title, source, marked] of [
  ['code after \\verb ends at its delimiter', '\\verb|$a| $b$', '<b>\\verb</b><em>|$a|</em> <u>$b$</u>'],
  ['a comment hides what follows', '% $a\n$b$', '<i>% $a</i>\n<u>$b$</u>'],
  ['a title contains groups', '\\title{A {B} C} D', '<strong><b>\\title</b>{A {B} C}</strong> D'],
  ['neighbors of one color share an element', '\\alpha\\beta', '<b>\\alpha\\beta</b>'],
  ['special characters are escaped', '$a<b$ "&"', '<u>$a&lt;b$</u> &quot;&amp;&quot;'],
  [
    'a formula in an environment ends with it',
    '\\begin{align}x\\end{align}y',
    '<u><b>\\begin</b>{<var>align</var>}x<b>\\end</b>{<var>align</var>}</u>y',
  ],
] as const) {
  test(title, () => assert.equal(markLatex(source), marked))
}

const pieces = [
  '\\begin{align}',
  '\\end{align}',
  '\\begin{verbatim}',
  '\\end{verbatim}',
  '\\section{',
  '\\cite{a}',
  '\\verb|',
]
const signs = ['{', '}', '$', '$$', '\\(', '\\)', '\\[', '\\]', '%', '\n', '\n\n', ' ', 'a', '&', '<', '\\', '[p]']

test('every element is closed in the order of nesting', () => {
  const source = fc.array(fc.constantFrom(...pieces, ...signs)).map((parts) => parts.join(''))
  fc.assert(
    fc.property(source, (text) => {
      const open: string[] = []
      for (const [, slash, name = ''] of markLatex(text).matchAll(/<(\/?)(\w+)>/g)) {
        if (slash === '') open.push(name)
        else assert.equal(open.pop(), name)
      }
      assert.deepEqual(open, [])
    }),
  )
})
