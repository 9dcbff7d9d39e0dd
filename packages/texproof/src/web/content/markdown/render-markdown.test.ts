import assert from 'node:assert/strict'
import { test } from 'node:test'

import { renderMarkdown } from './render-markdown.ts'

const place = {
  folder: 'docs',
  blobPrefix: '/alice/tides/blob/main/',
  rawPrefix: '/alice/tides/raw/main/',
  outerBase: '/alice/tides/blob/main/',
}

const hostile: readonly string[] = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<img src="javascript:alert(1)">',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](vbscript:msgbox(1))',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<form action="https://evil.example"><input name=a></form>',
  '<base href="https://evil.example/">',
  '<style>@import url(https://evil.example)</style>',
  '<p style="background:url(https://evil.example)">x</p>',
  '<link rel=stylesheet href=https://evil.example>',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<object data="x"></object><embed src="x">',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<details ontoggle=alert(1) open>x</details>',
  '<img src="https://evil.example/pixel.png">',
  '![pixel](https://evil.example/pixel.png)',
  '<img src="//evil.example/pixel.png">',
  '<img srcset="https://evil.example/a 1x" src="a.png">',
  '<a id="content" name="content">x</a>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '<textarea><img src=x onerror=alert(1)></textarea>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<span data-insertion="0">x</span><span data-insertion="">y</span>',
  '<div class="viewer-page alert-x">x</div>',
]

for (const source of hostile) {
  test(`renderMarkdown() neutralizes ${source.replaceAll('\n', ' ').slice(0, 60)}`, () => {
    const html = renderMarkdown({ source, place })
    assert.doesNotMatch(
      html,
      /<(?:script|svg|iframe|form|input|base|style|link|meta|object|embed|math|textarea|xmp|noscript)\b/i,
    )
    assert.doesNotMatch(html, /<[^>]*\s(?:on\w+|style|srcset|name|class)\s*=/i)
    assert.doesNotMatch(html, /(?:href|src)="\s*(?:javascript|data|vbscript):/i)
    assert.doesNotMatch(html, /<img[^>]+src="(?:https?:)?\/\/(?!$)/i)
    assert.doesNotMatch(html, /id="(?!user-content-)/)
  })
}

const addresses: readonly (readonly [name: string, source: string, html: string])[] = [
  ['a relative link', '[a](b/c.tex)', '<p><a href="/alice/tides/blob/main/docs/b/c.tex">a</a></p>'],
  ['a link to the top', '[a](/main.tex)', '<p><a href="/alice/tides/blob/main/main.tex">a</a></p>'],
  ['a link upwards', '[a](../main.tex#L3)', '<p><a href="/alice/tides/blob/main/main.tex#L3">a</a></p>'],
  ['a picture out of the tree', '![a](../../x.png)', '<p><a href="/alice/tides/blob/x.png">a</a></p>'],
  [
    'a link elsewhere',
    '[a](https://x.example)',
    '<p><a href="https://x.example" rel="nofollow noopener noreferrer">a</a></p>',
  ],
  ['a link within the text', '[a](#b)', '<p><a href="#user-content-b">a</a></p>'],
  [
    'a picture of the tree',
    '![a](p.png)',
    '<p><img src="/alice/tides/raw/main/docs/p.png" alt="a" loading="lazy" /></p>',
  ],
]

const outsideTree: readonly (readonly [address: string, href: string])[] = [
  ['../../tree/dev', '/alice/tides/tree/dev'],
  ['../../tree/dev/', '/alice/tides/tree/dev'],
  ['../../search?q=tide#a', '/alice/tides/search?q=tide#a'],
  ['/../../builds', '/alice/tides/builds'],
  ['../..', '/alice/tides'],
  ['../../', '/alice/tides'],
  ['../other/main.tex', '/alice/tides/blob/other/main.tex'],
  ['../../../moon', '/alice/moon'],
  ['../../../..', '/'],
  ['../../../../../..', '/'],
  ['../files/main.tex', '/alice/tides/blob/files/main.tex'],
  ['../../../..//evil.example/x', '/evil.example/x'],
  [String.raw`../../../..\\evil.example`, '/evil.example'],
  ['../../../.././/evil.example', '/evil.example'],
  ['%2e%2e/../../..///evil.example/', '/evil.example'],
]

for (const [address, href] of outsideTree)
  test(`renderMarkdown() resolves a link to ${address} as on the page of the file`, () => {
    const html = renderMarkdown({ source: `<a href="${address}">a</a>`, place: { ...place, folder: '' } })
    assert.equal(html.trim(), `<p><a href="${href}">a</a></p>`)
  })

for (const [name, source, html] of addresses) {
  test(`renderMarkdown() resolves ${name}`, () => {
    assert.equal(renderMarkdown({ source, place }).trim(), html)
  })
}

test('renderMarkdown() places headings below the heading of the page, and links within the text lead to them', () => {
  const source =
    '# Tides\n\nSee [how](#building-it-1).\n\n### Building it\n\n### Building `it`\n\n<h1><a id="own"></a>End</h1>\n'
  assert.deepEqual(
    renderMarkdown({ source, place: { ...place, isBelowHeading: true } })
      .trim()
      .split('\n'),
    [
      '<h2 id="user-content-tides">Tides</h2>',
      '<p>See <a href="#user-content-building-it-1">how</a>.</p>',
      '<h3 id="user-content-building-it">Building it</h3>',
      '<h3 id="user-content-building-it-1">Building <code>it</code></h3>',
      '<h2><a id="user-content-own"></a>End</h2>',
    ],
  )
})

for (const source of [
  '%2e%2e/%2e%2e/../../logout',
  '..\\..\\..\\logout',
  '.%2e/.%2E/search?q=x',
  '\\alice\\tides',
  '/../../logout',
  ' /logout',
  'a.png?archive',
  'b/\t../../../x',
]) {
  test(`renderMarkdown() loads no image from ${JSON.stringify(source)}, only raw files`, () => {
    const html = renderMarkdown({ source: `<img src="${source}">`, place })
    const [, src = `${place.rawPrefix}none`] = /<img[^>]*src="([^"]*)"/.exec(html) ?? []
    const { pathname, search } = new URL(src, 'http://here.invalid')
    assert.deepEqual([pathname.startsWith(place.rawPrefix), search], [true, ''])
  })
}

const read = (source: string): string => renderMarkdown({ source, place }).trim()

const formulas: readonly (readonly [name: string, source: string, html: string])[] = [
  ['between dollars', 'So $x$.', '<p>So <math><mi>x</mi></math>.</p>'],
  ['between dollars and backticks', 'So $`x`$.', '<p>So <math><mi>x</mi></math>.</p>'],
  [
    'of its own within a line',
    'So $$x$$.',
    '<p>So <span class="formula" tabindex="0"><math display="block"><mi>x</mi></math></span>.</p>',
  ],
  [
    'on lines of its own',
    '$$\nx\n$$',
    '<p><span class="formula" tabindex="0"><math display="block"><mi>x</mi></math></span></p>',
  ],
  [
    'in a fenced block',
    '```math\nx\n```',
    '<p><span class="formula" tabindex="0"><math display="block"><mi>x</mi></math></span></p>',
  ],
  [
    'in a quote in a list',
    '- > $$\n  > x\n  > $$',
    '<ul>\n<li>\n<blockquote>\n<p><span class="formula" tabindex="0"><math display="block"><mi>x</mi></math></span></p>\n</blockquote>\n</li>\n</ul>',
  ],
  [
    'with a mistake, as source with the reason',
    'So $\\foo<b>$.',
    '<p>So <code class="formula-source" title="Unsupported function name: \\foo">$\\foo&lt;b&gt;$</code>.</p>',
  ],
]

for (const [name, source, html] of formulas) {
  test(`renderMarkdown() renders a formula ${name}`, () => {
    assert.equal(read(source), html)
  })
}

for (const source of [
  'It costs $5 or $6.',
  'US$5 and US$6',
  'a$b$c',
  '$ x $',
  '$x $',
  '\\$x\\$',
  '$HOME/a and $HOME/b',
  '$$',
  '$$\nx\n\n$$',
  'an open $x',
  '`$x$`',
]) {
  test(`renderMarkdown() finds no formula in ${JSON.stringify(source)}`, () => {
    assert.doesNotMatch(read(source), /<math|formula/)
  })
}

test('renderMarkdown() inserts no formula into an unclosed attribute', () => {
  const html = read(String.raw`<td align='` + '\n\n' + String.raw`$\text{" onclick="alert(1)}$` + "\n\n'>")
  assert.match(html, /^<td align="\n&lt;p&gt;&lt;span data-insertion=&quot;[\w-]+&quot;&gt;[^"<>]*">/)
})

test('renderMarkdown() renders the source of formulas after the first megabyte of MathML', () => {
  const html = read('$$\\begin{matrix}a&b&c&d&e&f\\end{matrix}$$ '.repeat(6_000))
  assert.deepEqual([html.length < 3_000_000, html.includes('The text has too many formulas.')], [true, true])
})

test('renderMarkdown() puts footnotes at the end, with links between reference and note', () => {
  assert.equal(
    read('One[^a], two[^b], one[^a].\n\n[^a]: First.\n[^b]: Second\n\n    goes on.\n'),
    [
      '<p>One<sup><a href="#user-content-fn-1" id="user-content-fnref-1">1</a></sup>, two<sup><a href="#user-content-fn-2" id="user-content-fnref-2">2</a></sup>, one<sup><a href="#user-content-fn-1" id="user-content-fnref-1-2">1</a></sup>.</p>',
      '<section class="footnotes" aria-label="Footnotes">',
      '<ol>',
      '<li id="user-content-fn-1"><p>First. <a href="#user-content-fnref-1" aria-label="Back to reference 1">↩\uFE0E</a> <a href="#user-content-fnref-1-2" aria-label="Back to reference 1-2">↩\uFE0E</a></p>',
      '</li>',
      '<li id="user-content-fn-2"><p>Second</p>',
      '<p>goes on. <a href="#user-content-fnref-2" aria-label="Back to reference 2">↩\uFE0E</a></p>',
      '</li>',
      '</ol>',
      '</section>',
    ].join('\n'),
  )
})

test('renderMarkdown() renders task lists as boxes that cannot be changed', () => {
  assert.equal(
    read('- [ ] write\n- [x] read\n- [link](a.tex)\n- [y] not a task\n'),
    [
      '<ul>',
      '<li><input type="checkbox" disabled aria-label="To do" /> write</li>',
      '<li><input type="checkbox" disabled checked aria-label="Done" /> read</li>',
      '<li><a href="/alice/tides/blob/main/docs/a.tex">link</a></li>',
      '<li>[y] not a task</li>',
      '</ul>',
    ].join('\n'),
  )
})

test('renderMarkdown() aligns the columns of a table', () => {
  assert.deepEqual(read('|a|b|c|\n|:-|:-:|-:|\n|1|2|3|\n').match(/<t[hd]\b[^>]*>/g), [
    '<th align="left">',
    '<th align="center">',
    '<th align="right">',
    '<td align="left">',
    '<td align="center">',
    '<td align="right">',
  ])
})

const alerts: readonly (readonly [name: string, source: string, html: string])[] = [
  [
    'a quote that begins with its kind',
    '> [!NOTE]\n> Low water\n> at noon.\n',
    '<div class="alert alert-note">\n<p class="alert-title">Note</p>\n<p>Low water\nat noon.</p>\n</div>',
  ],
  [
    'a kind in lower case, a paragraph of its own',
    '> [!caution]\n>\n> - a\n',
    '<div class="alert alert-caution">\n<p class="alert-title">Caution</p>\n<ul>\n<li>a</li>\n</ul>\n</div>',
  ],
  [
    'an alert with a quote in it',
    '> [!TIP]\n> a\n>\n> > b\n\nc\n',
    '<div class="alert alert-tip">\n<p class="alert-title">Tip</p>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</div>\n<p>c</p>',
  ],
  ['text behind the kind as a quote', '> [!NOTE] a\n', '<blockquote>\n<p>[!NOTE] a</p>\n</blockquote>'],
  ['an unknown kind as a quote', '> [!DANGER]\n> a\n', '<blockquote>\n<p>[!DANGER]\na</p>\n</blockquote>'],
]

for (const [name, source, html] of alerts) {
  test(`renderMarkdown() renders ${name}`, () => {
    assert.equal(read(source), html)
  })
}
