import assert from 'node:assert/strict'
import { test } from 'node:test'

import { renderMarkdown } from './render-markdown.ts'

const place = { folder: 'docs', blobPrefix: '/alice/tides/blob/main/', rawPrefix: '/alice/tides/raw/main/' }

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
]

for (const source of hostile) {
  test(`renderMarkdown() disarms ${source.replaceAll('\n', ' ').slice(0, 60)}`, () => {
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
  ['a link out of the tree', '[a](../../x)', '<p><a href="../../x" rel="nofollow noopener noreferrer">a</a></p>'],
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

for (const [name, source, html] of addresses) {
  test(`renderMarkdown() resolves ${name}`, () => {
    assert.equal(renderMarkdown({ source, place }).trim(), html)
  })
}

test('renderMarkdown() sets headings below that of the page, and links within the text lead to them', () => {
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
  test(`renderMarkdown() loads no picture from ${JSON.stringify(source)} but a raw file`, () => {
    const html = renderMarkdown({ source: `<img src="${source}">`, place })
    const [, src = `${place.rawPrefix}none`] = /<img[^>]*src="([^"]*)"/.exec(html) ?? []
    const { pathname, search } = new URL(src, 'http://here.invalid')
    assert.deepEqual([pathname.startsWith(place.rawPrefix), search], [true, ''])
  })
}
