import { deflatedZeros } from '../deflated-zeros.ts'
import { article, biberRequest, bibtexRequest, luaRequest } from '../documents.ts'
import type { HostileCase, HostileRequest } from '../hostile-case.ts'
import { solidPng } from '../solid-png.ts'

const tex = (
  body: string,
  options: { readonly preamble?: string; readonly engine?: string; readonly timeout?: number } = {},
): HostileRequest => {
  return {
    source: article(body, options.preamble ?? ''),
    engine: options.engine ?? 'pdflatex',
    timeout: options.timeout ?? 4000,
  }
}

const STYLE_HEAD = 'ENTRY {title} {} {}\nINTEGERS {n}\n'

/** A one-page PDF whose page content is `length` zero bytes, deflated. */
function pdfBomb(length: number): Uint8Array {
  const content = deflatedZeros(length)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << >> >>',
  ]
  const head = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')
  const stream = `4 0 obj\n<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n`
  const tail = '\nendstream\nendobj\ntrailer << /Root 1 0 R /Size 5 >>\nstartxref\n0\n%%EOF\n'
  return Buffer.concat([Buffer.from(`%PDF-1.4\n${head}${stream}`), content, Buffer.from(tail)])
}

const attacks: readonly (readonly [name: string, request: HostileRequest, isQuick?: boolean])[] = [
  ['loop', tex(String.raw`\def\x{\x}\x`, { timeout: 1500 }), true],
  ['loop-xelatex', tex(String.raw`\def\x{\x}\x`, { engine: 'xelatex', timeout: 3000 })],
  ['loop-lualatex', tex(String.raw`\directlua{while true do end}`, { engine: 'lualatex', timeout: 3000 })],
  ['loop-at-end', tex(String.raw`x`, { preamble: String.raw`\AtEndDocument{\loop\iftrue\repeat}`, timeout: 2000 })],
  ['recursion', tex(String.raw`\def\x#1{\x{#1#1}}\x{aaaa}`, { timeout: 8000 }), true],
  [
    'input-itself',
    { source: article(String.raw`\input{again}`), files: [['again.tex', String.raw`x\input{again}`]], timeout: 4000 },
  ],
  [
    'terminal-flood',
    tex(
      String.raw`\loop\immediate\write16{\the\maxdimen xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}\iftrue\repeat`,
      { timeout: 8000 },
    ),
  ],
  [
    'log-flood',
    tex(
      String.raw`\loop\immediate\write-1{xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}\iftrue\repeat`,
      { timeout: 8000 },
    ),
  ],
  [
    'file-flood',
    tex(
      String.raw`\newwrite\f\immediate\openout\f=flood.txt \loop\immediate\write\f{xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}\iftrue\repeat`,
      { timeout: 8000 },
    ),
  ],
  [
    'file-count',
    tex(String.raw`\newwrite\f\newcount\n\loop\advance\n1 \immediate\openout\f=f\the\n.txt \iftrue\repeat`, {
      timeout: 8000,
    }),
  ],
  [
    'aux-flood',
    tex(
      String.raw`\makeatletter\loop\immediate\write\@auxout{xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}\iftrue\repeat`,
      { timeout: 8000 },
    ),
  ],
  ['page-flood', tex(String.raw`\loop\null\newpage\iftrue\repeat`, { timeout: 5000 })],
  ['error-flood', tex(String.raw`\loop\undefined\iftrue\repeat`, { timeout: 4000 }), true],
  [
    'warning-flood',
    tex(String.raw`\newcount\n\loop\advance\n1 \ref{missing\the\n}\ifnum\n<20000\repeat`, { timeout: 10_000 }),
  ],
  [
    'box-bomb',
    tex(String.raw`\newbox\b\setbox\b\hbox{x}\loop\setbox\b\hbox{\copy\b\copy\b}\iftrue\repeat`, { timeout: 8000 }),
  ],
  [
    'token-bomb',
    tex(
      String.raw`\toks0{x}\loop\toks0\expandafter{\the\toks0 \the\toks0}\toks0\expandafter\expandafter\expandafter{\expandafter\the\expandafter\toks\expandafter0\the\toks0}\iftrue\repeat`,
      { timeout: 8000 },
    ),
  ],
  [
    'register-bomb',
    tex(
      String.raw`\newcount\n\loop\advance\n1 \expandafter\gdef\csname c\the\n\endcsname{xxxxxxxxxxxxxxxxxxxxxxxx}\iftrue\repeat`,
      { timeout: 8000 },
    ),
  ],
  [
    'exponential-macros',
    tex(
      String.raw`\def\a{\b\b\b\b\b\b\b\b\b\b}\def\b{\c\c\c\c\c\c\c\c\c\c}\def\c{\d\d\d\d\d\d\d\d\d\d}\def\d{\e\e\e\e\e\e\e\e\e\e}\def\e{xxxxxxxxxx}\edef\z{\a\a\a\a\a\a\a\a\a\a}`,
      { timeout: 6000 },
    ),
  ],
  [
    'lua-memory',
    luaRequest('local t = {} while true do t[#t + 1] = string.rep("x", 1e6) .. #t end', { timeout: 10_000 }),
  ],
  ['lua-table', luaRequest('local t = {} for i = 1, 1e12 do t[i] = {i} end', { timeout: 10_000 })],
  ['lua-string', luaRequest('local s = "x" while true do s = s .. s end', { timeout: 10_000 })],
  [
    'lua-files',
    luaRequest('for i = 1, 1e7 do local f = io.open("f" .. i, "w") if f then f:write("x") f:close() end end', {
      timeout: 10_000,
    }),
  ],
  ['lua-output', luaRequest('while true do io.stdout:write(string.rep("x", 1e6)) end', { timeout: 10_000 })],
  ['lua-pattern', luaRequest('string.find(string.rep("a", 1e5), string.rep("a-", 60) .. "b")', { timeout: 4000 })],
  [
    'bibtex-loop',
    bibtexRequest('loop', [['loop.bst', `${STYLE_HEAD}FUNCTION {f} { { #1 } { skip$ } while$ }\nREAD\nEXECUTE {f}\n`]]),
  ],
  [
    'bibtex-flood',
    bibtexRequest('flood', [
      [
        'flood.bst',
        `${STYLE_HEAD}FUNCTION {f} { { #1 } { "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" write$ newline$ } while$ }\nREAD\nEXECUTE {f}\n`,
      ],
    ]),
  ],
  [
    'bibtex-stack',
    bibtexRequest('stack', [['stack.bst', `${STYLE_HEAD}FUNCTION {f} { { #1 } { "x" } while$ }\nREAD\nEXECUTE {f}\n`]]),
  ],
  [
    'biber-pattern',
    {
      ...biberRequest('{refs.bib}'),
      source: article(
        String.raw`\cite{key}\printbibliography`,
        String.raw`\usepackage{biblatex}\DeclareSourcemap{\maps{\map{\step[fieldsource=note,match=\regexp{\A(a|aa)+\Z},replace={x}]}}}\addbibresource{refs.bib}`,
      ),
      files: [['refs.bib', `@book{key, title = {T}, note = {${'a'.repeat(60)}b}}`]],
      timeout: 6000,
    },
  ],
  [
    'biber-entities',
    biberRequest('[datatype=biblatexml]{refs.bltxml}', [
      [
        'refs.bltxml',
        `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "xxxxxxxxxx">${Array.from({ length: 9 }, (_, n) => `<!ENTITY ${'bcdefghij'[n]} "${`&${'abcdefghi'[n]};`.repeat(10)}">`).join('')}]>
<bltx:entries xmlns:bltx="http://biblatex-biber.sourceforge.net/biblatexml"><bltx:entry id="key" entrytype="book"><bltx:title>&j;</bltx:title></bltx:entry></bltx:entries>`,
      ],
    ]),
  ],
  [
    'png-bomb',
    {
      ...tex(String.raw`\includegraphics[width=1cm]{bomb.png}`, {
        preamble: String.raw`\usepackage{graphicx}`,
        timeout: 10_000,
      }),
      files: [['bomb.png', solidPng(20_000, 18_000)]],
    },
  ],
  [
    'png-bomb-xelatex',
    {
      ...tex(String.raw`\includegraphics[width=1cm]{bomb.png}`, {
        preamble: String.raw`\usepackage{graphicx}`,
        engine: 'xelatex',
        timeout: 10_000,
      }),
      files: [['bomb.png', solidPng(20_000, 18_000)]],
    },
  ],
  [
    'pdf-bomb',
    {
      ...tex(String.raw`\includegraphics[width=1cm]{bomb.pdf}`, {
        preamble: String.raw`\usepackage{graphicx}`,
        timeout: 10_000,
      }),
      files: [['bomb.pdf', pdfBomb(500_000_000)]],
    },
  ],
  [
    'metafont-loop',
    {
      source: article(String.raw`\font\x=spin\x A`),
      files: [['spin.mf', 'mode_setup; forever: endfor; end']],
      timeout: 6000,
    },
  ],
  [
    'missing-fonts',
    tex(String.raw`\newcount\n\loop\advance\n1 \font\x=nofont\the\n\relax\ifnum\n<2000\repeat`, { timeout: 6000 }),
    true,
  ],
  ['terminal-read', tex(String.raw`\read16 to\x\read-1 to\y x`), true],
  ['long-line', { source: article(`${'x '.repeat(2_400_000)}`), timeout: 10_000 }],
  ['long-word', { source: article('x'.repeat(4_800_000)), timeout: 10_000 }],
  ['deep-groups', { source: article(`${'{'.repeat(200_000)}x${'}'.repeat(200_000)}`), timeout: 8000 }],
  ['one-millisecond', tex('x', { timeout: 1 }), true],
]

/** Attempts to exhaust time, memory, disk or output. */
export const RESOURCE_CASES: readonly HostileCase[] = attacks.map(([name, request, isQuick]): HostileCase => {
  return {
    name: `resource-${name}`,
    request,
    outcome: 'contained',
    isDangerous: true,
    ...(isQuick ? { isQuick: true } : {}),
  }
})
