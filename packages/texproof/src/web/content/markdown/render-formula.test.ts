import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { renderFormula } from './render-formula.ts'

const hostile: readonly string[] = [
  String.raw`\href{javascript:alert(1)}{x}`,
  String.raw`\url{javascript:alert(1)}`,
  String.raw`\includegraphics{https://evil.example/pixel.png}`,
  String.raw`\class{viewer-page}{x}`,
  String.raw`\id{content}{x}`,
  String.raw`\style{position:fixed}{x}`,
  String.raw`\data{insertion=0}{x}`,
  String.raw`\textcolor{red;position:fixed}{x}`,
  String.raw`\text{<img src=x onerror=alert(1)>}`,
  String.raw`\text{" onclick="alert(1)}`,
  String.raw`\ref{content}`,
  String.raw`\label{content} x \tag{1}`,
  String.raw`\llap{x} \rlap{y} \smash{z}`,
  String.raw`\cancelto{0}{x} \boxed{y} \fbox{z} \colorbox{red}{w}`,
  String.raw`\begin{equation} a \end{equation}`,
]

for (const source of hostile) {
  test(`renderFormula() neutralizes ${source}`, () => {
    const html = renderFormula({ source, isDisplay: false })
    assert.doesNotMatch(
      html.replaceAll(/title="[^"]*"|>[^<]*</g, '><'),
      /\s(?:href|src|style|id|on\w+)=|<(?:a|img|span)\b/,
    )
    assert.match(html, /^<(?:math|code)\b[^]*<\/(?:math|code)>$/)
  })
}

const endless: readonly (readonly [name: string, source: string])[] = [
  ['a macro that expands to itself', String.raw`\def\a{\a\a}\a`],
  [
    'a macro that doubles',
    `${String.raw`\def\a{xx}\def\b{\a\a}\def\c{\b\b}\def\d{\c\c}\def\e{\d\d}\def\f{\e\e}\def\g{\f\f}\def\h{\g\g}\def\i{\h\h}`}\\i`,
  ],
  ['many braces', '{'.repeat(9_000)],
  ['nested fractions', `${String.raw`\frac{1}{`.repeat(900)}x${'}'.repeat(900)}`],
  ['nested roots', String.raw`\sqrt`.repeat(1_900)],
]

for (const [name, source] of endless) {
  test(`renderFormula() terminates for ${name}`, () => {
    assert.ok(renderFormula({ source, isDisplay: true }).length < 250_000)
  })
}

test('renderFormula() limits lengths', () => {
  assert.equal(
    renderFormula({ source: String.raw`\kern500em\rule{500em}{500em}`, isDisplay: false }),
    '<math><mrow><mspace width="20em"></mspace><mspace mathbackground="black" width="20em" height="20em"></mspace></mrow></math>',
  )
})

test('renderFormula() keeps the lines and columns of a table as classes', () => {
  assert.equal(
    renderFormula({ source: String.raw`\begin{array}{c|c} 1 & 2 \end{array}`, isDisplay: false }),
    '<math><mtable><mtr><mtd class="tml-pad-left-0 tml-pad-right-1 tml-line-right"><mn>1</mn></mtd><mtd class="tml-pad-left-1 tml-pad-right-0"><mn>2</mn></mtd></mtr></mtable></math>',
  )
})

test('renderFormula() returns MathML or source for every input', () => {
  const part = fc.constantFrom(
    ...String.raw`\frac \sqrt \left( \right) \text \begin{matrix} \end{matrix} & \\ { } ^ _ ' " < > $ % # ~ x 1 + \def\a \a \color{red} \tag{1} \over`.split(
      ' ',
    ),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const html = renderFormula({ source: parts.join(''), isDisplay: false })
      assert.match(html, /^<(?:math|code)\b[^]*<\/(?:math|code)>$/)
      assert.doesNotMatch(html, /<(?!\/?(?:code|m[a-z]+)\b)|style=/)
    }),
    { numRuns: 300 },
  )
})
