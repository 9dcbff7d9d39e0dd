import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { renderNotebook } from './render-notebook.ts'

const place = { folder: '', blobPrefix: '/alice/tides/blob/main/', rawPrefix: '/alice/tides/raw/main/' }
const png = 'iVBORw0KGgoAAAANSUhEUg=='

function render(cells: readonly unknown[], metadata: unknown = { language_info: { name: 'python' } }): string | null {
  const text = JSON.stringify({ nbformat: 4, metadata, cells })
  return renderNotebook({ bytes: new TextEncoder().encode(text), place })
}

/** The rendered output of a code cell without a count. */
function renderOutput(output: unknown): string | undefined {
  const html = render([{ cell_type: 'code', source: '', execution_count: null, outputs: [output] }])
  return html?.slice(html.indexOf('</pre>') + '</pre>'.length, -'</div>'.length)
}

const display = (data: unknown): unknown => ({ output_type: 'display_data', data, metadata: {} })

test('renderNotebook() renders cells in order, with highlighted code', () => {
  assert.equal(
    render([
      { cell_type: 'markdown', source: ['# Tides\n', '\n', 'See $x$.'] },
      { cell_type: 'code', source: 'import numpy # <b>', execution_count: 3, outputs: [] },
      { cell_type: 'raw', source: '<i>raw</i>' },
    ]),
    [
      '<div class="cell markdown-cell"><h1 id="user-content-tides">Tides</h1>\n<p>See <math><mi>x</mi></math>.</p>\n</div>',
      '<div class="cell code-cell"><span class="cell-count"><span class="visually-hidden">Code cell </span>[3]</span><pre tabindex="0"><code><b>import</b> numpy <i># &lt;b&gt;</i></code></pre></div>',
      '<div class="cell raw-cell"><pre tabindex="0"><code>&lt;i&gt;raw&lt;/i&gt;</code></pre></div>',
    ].join('\n'),
  )
})

test('renderNotebook() keeps headings and footnotes of different cells apart', () => {
  const cell = { cell_type: 'markdown', source: '## A\n\nb[^1]\n\n[^1]: c\n' }
  const ids = [...(render([cell, cell]) ?? '').matchAll(/id="user-content-([^"]+)"/g)].map(([, id]) => id)
  assert.deepEqual(ids, ['a', 'fnref-0-1', 'fn-0-1', 'a-1', 'fnref-1-1', 'fn-1-1'])
})

test('renderNotebook() resolves `attachment:` only to images attached to the cell', () => {
  const attachments = { 'a.png': { 'image/png': png }, 'b.png': { 'image/png': '"><script>' } }
  const source = '![a](attachment:a.png) ![b](attachment:b.png) ![c](data:image/png;base64,iVBORw0KGgo=)'
  assert.equal(
    render([{ cell_type: 'markdown', source, attachments }]),
    `<div class="cell markdown-cell"><p><img src="data:image/png;base64,${png}" alt="a" loading="lazy" /> <a rel="nofollow noopener noreferrer">b</a> <a rel="nofollow noopener noreferrer">c</a></p>\n</div>`,
  )
})

const outputs: readonly (readonly [name: string, output: unknown, html: string])[] = [
  [
    'text, without terminal colors and overwritten lines',
    { output_type: 'stream', name: 'stdout', text: ['10 %\r', '100 %\n', '\u001B[1;32m<done>\u001B[0m\n'] },
    '<pre class="cell-output" tabindex="0">100 %\n&lt;done&gt;\n</pre>',
  ],
  [
    'standard error',
    { output_type: 'stream', name: 'stderr', text: 'careful' },
    '<pre class="cell-stderr" tabindex="0">careful</pre>',
  ],
  [
    'an error with its traceback',
    { output_type: 'error', ename: 'E', evalue: 'v', traceback: ['\u001B[31mline 1\u001B[39m', 'E: v'] },
    '<pre class="cell-error" tabindex="0">line 1\nE: v</pre>',
  ],
  [
    'an error without a traceback',
    { output_type: 'error', ename: 'E', evalue: 'v' },
    '<pre class="cell-error" tabindex="0">E: v</pre>',
  ],
  [
    'an image before its description',
    display({ 'image/png': `${png}\n`, 'text/plain': '<Figure "1">' }),
    `<p class="cell-image"><img src="data:image/png;base64,${png}" alt="&lt;Figure &quot;1&quot;&gt;" loading="lazy" /></p>`,
  ],
  [
    'SVG as an image, which runs no script',
    display({ 'image/svg+xml': ['<svg onload="alert(1)">', '</svg>'] }),
    `<p class="cell-image"><img src="data:image/svg+xml;base64,${Buffer.from('<svg onload="alert(1)"></svg>').toString('base64')}" alt="Output of cell" loading="lazy" /></p>`,
  ],
  [
    'a formula before its text',
    display({ 'text/latex': '$\\displaystyle x$', 'text/plain': 'x' }),
    '<div class="cell-output"><span class="formula" tabindex="0"><math display="block"><mstyle scriptlevel="0" displaystyle="true"><mi>x</mi></mstyle></math></span></div>',
  ],
  [
    'text in place of a formula that is wrong',
    display({ 'text/latex': '\\begin{tabular}{l}a\\end{tabular}', 'text/plain': 'a' }),
    '<pre class="cell-output" tabindex="0">a</pre>',
  ],
  [
    'the text of a table, not its HTML',
    display({ 'text/html': ['<table onclick="alert(1)">'], 'text/plain': ['   a\n', '0  1'] }),
    '<pre class="cell-output" tabindex="0">   a\n0  1</pre>',
  ],
  [
    'the type of what cannot be shown',
    display({ 'text/html': '<script>alert(1)</script>', 'application/<x>': { a: 1 } }),
    '<p class="quiet">Output of type text/html, application/&lt;x&gt; is not shown.</p>',
  ],
  [
    'an image that is none as its type',
    display({ 'image/png': 'iVBORw0KGgo" onerror="alert(1)' }),
    '<p class="quiet">Output of type image/png is not shown.</p>',
  ],
]

for (const [name, output, html] of outputs) {
  test(`renderNotebook() shows ${name}`, () => {
    assert.equal(renderOutput(output), html)
  })
}

test('renderNotebook() shows the beginning of a notebook with many cells, and says so', () => {
  const html = render(Array.from({ length: 600 }, () => ({ cell_type: 'raw', source: 'a' }))) ?? ''
  assert.deepEqual(
    [html.split('class="cell ').length - 1, html.startsWith('<p class="notice">500 of 600 cells are shown.</p>')],
    [500, true],
  )
})

test('renderNotebook() shows the beginning of a long text, and says so', () => {
  assert.equal(
    renderOutput({ output_type: 'stream', name: 'stdout', text: 'a'.repeat(60_000) }),
    `<pre class="cell-output" tabindex="0">${'a'.repeat(50_000)}</pre><p class="notice">The rest of this output is not shown.</p>`,
  )
})

test('renderNotebook() returns null for text that is not a notebook of format 4', () => {
  const texts = ['', '{', '[]', '{"nbformat": 3, "worksheets": []}', '{"nbformat": 4, "cells": {}}']
  assert.deepEqual(
    texts.map((text) => renderNotebook({ bytes: new TextEncoder().encode(text), place })),
    texts.map(() => null),
  )
})

test('renderNotebook() accepts any notebook without throwing', () => {
  const cell = fc.record(
    {
      cell_type: fc.constantFrom('markdown', 'code', 'raw', 'heading'),
      source: fc.oneof(fc.string(), fc.array(fc.string()), fc.json()),
      execution_count: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
      attachments: fc.jsonValue(),
      outputs: fc.oneof(
        fc.jsonValue(),
        fc.array(
          fc.record({
            output_type: fc.constantFrom('stream', 'display_data', 'execute_result', 'error', 'pyout'),
            name: fc.jsonValue(),
            text: fc.jsonValue(),
            data: fc.dictionary(fc.constantFrom('text/plain', 'text/latex', 'image/png', '__proto__'), fc.jsonValue()),
            traceback: fc.jsonValue(),
          }),
        ),
      ),
    },
    { requiredKeys: ['cell_type'] },
  )
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 4 }), fc.jsonValue(), (cells, metadata) => {
      assert.doesNotMatch(render(cells, metadata) ?? '', /<(?:script|iframe|style)\b/i)
    }),
    { numRuns: 200 },
  )
})
