import { article, biberRequest, bibtexRequest, luaRequest } from '../documents.ts'
import type { HostileCase, HostileRequest } from '../hostile-case.ts'

const READ_LINES = String.raw`\newread\f\openin\f=PATH \ifeof\f closed\else
\loop\read\f to\line\typeout{line: \meaning\line}\ttfamily\detokenize\expandafter{\line}\par\ifeof\f\else\repeat\fi`

const PATHS: readonly (readonly [name: string, path: string])[] = [
  ['canary', '<CANARY>'],
  ['passwd', '/etc/passwd'],
  ['environ', '/proc/self/environ'],
  ['parent-environ', '/proc/1/environ'],
  ['dots', '../../../../../../../../etc/passwd'],
  ['home', '~/.bashrc'],
  ['fd', '/proc/self/fd/3'],
  ['shadow', '/etc/shadow'],
  ['dev-stdin', '/dev/stdin'],
]

const openin = PATHS.map(([name, path]): HostileCase => {
  return {
    name: `read-openin-${name}`,
    request: { source: article(READ_LINES.replace('PATH', path)), timeout: 10_000 },
    outcome: 'contained',
  }
})

/** All paths in one document for the quick suite; a separate document shows which of them can be read. */
const openinTogether: HostileCase = {
  name: 'read-openin-together',
  request: {
    source: article(
      [
        ...PATHS.map(([, path]) => `{${READ_LINES.replace('PATH', path)}}`),
        String.raw`\message{\pdffiledump offset 0 length 4000{<CANARY>}}\typeout{all paths tried}`,
      ].join('\n'),
    ),
    timeout: 10_000,
  },
  outcome: 'contained',
  proof: 'all paths tried',
  isQuick: true,
}

const tex = (body: string, preamble = '', engine = 'pdflatex'): HostileRequest => {
  return { source: article(body, preamble), engine, timeout: 15_000 }
}

const documents: readonly (readonly [name: string, request: HostileRequest, isQuick?: boolean])[] = [
  ['input', tex(String.raw`\input{<CANARY>}`), true],
  ['input-xelatex', tex(String.raw`\input{<CANARY>}`, '', 'xelatex')],
  ['verbatim', tex(String.raw`\verbatiminput{<CANARY>}`, String.raw`\usepackage{verbatim}`)],
  ['listing', tex(String.raw`\lstinputlisting{/etc/passwd}`, String.raw`\usepackage{listings}`)],
  ['graphics', tex(String.raw`\includegraphics{<CANARY>}`, String.raw`\usepackage{graphicx}`)],
  ['file-dump', tex(String.raw`\message{\pdffiledump offset 0 length 4000{<CANARY>}}`)],
  ['file-dump-passwd', tex(String.raw`\message{\pdffiledump offset 0 length 4000{/etc/passwd}}`)],
  ['file-size-oracle', tex(String.raw`\typeout{size: \pdffilesize{<CANARY>}}`)],
  ['file-digest-oracle', tex(String.raw`\typeout{digest: \pdfmdfivesum file{<CANARY>}}`)],
  ['pdf-object-stream', tex(String.raw`\immediate\pdfobj stream file {<CANARY>}\pdfrefobj\pdflastobj x`), true],
  ['pdf-object-passwd', tex(String.raw`\immediate\pdfobj stream file {/etc/passwd}\pdfrefobj\pdflastobj x`)],
  ['pipe-kpsewhich', tex(String.raw`\input{|"kpsewhich --expand-var=\string$<SECRET>"}`), true],
  ['pipe-cat', tex(String.raw`\input{|"cat <CANARY>"}`)],
  [
    'xetex-stream',
    tex(String.raw`x\special{pdf:fstream @x (<CANARY>)}\special{pdf:put @resources << /X @x >>}`, '', 'xelatex'),
    true,
  ],
  ['xetex-stream-passwd', tex(String.raw`x\special{pdf:fstream @x (/etc/passwd)}`, '', 'xelatex')],
  ['xetex-epdf', tex(String.raw`x\special{pdf:epdf (<CANARY>)}`, '', 'xelatex')],
  ['xetex-picture', tex(String.raw`x\XeTeXpicfile "<CANARY>" `, '', 'xelatex')],
  ['font-by-path', tex(String.raw`\font\x="[<CANARY>]" \x x`, '', 'xelatex')],
  ['bibtex-style', bibtexRequest('<CANARY>'), true],
  ['bibtex-style-passwd', bibtexRequest('/etc/passwd')],
  [
    'bibtex-data',
    { source: article(String.raw`\cite{key}\bibliographystyle{plain}\bibliography{<CANARY>}`), timeout: 10_000 },
  ],
  [
    'bibtex-aux',
    {
      source: article(
        String.raw`\makeatletter\immediate\write\@auxout{\string\@input{<CANARY>}}\makeatother\bibliographystyle{plain}\bibliography{refs}x\cite{key}`,
      ),
      files: [['refs.bib', '@book{key, title={T}}']],
      timeout: 10_000,
    },
  ],
  ['biber-absolute', biberRequest('{<CANARY>}'), true],
  ['biber-passwd', biberRequest('{/etc/passwd}')],
  [
    'biber-entity',
    biberRequest('[datatype=biblatexml]{refs.bltxml}', [
      [
        'refs.bltxml',
        `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY leak SYSTEM "file://<CANARY>">]>
<bltx:entries xmlns:bltx="http://biblatex-biber.sourceforge.net/biblatexml">
<bltx:entry id="key" entrytype="book"><bltx:title>&leak;</bltx:title></bltx:entry></bltx:entries>`,
      ],
    ]),
  ],
  ['lua-open', luaRequest(`for l in io.lines("<CANARY>") do texio.write_nl(l) tex.print(l) end`)],
  ['lua-passwd', luaRequest(`for l in io.lines("/etc/passwd") do texio.write_nl(l) end`)],
  [
    'lua-environment',
    luaRequest(
      `texio.write_nl(tostring(os.getenv("<SECRET>"))) for k, v in pairs(os.env) do texio.write_nl(k .. "=" .. v) end`,
    ),
  ],
  [
    'lua-together',
    luaRequest(
      `for _, path in ipairs{"<CANARY>", "/etc/passwd"} do local f = io.open(path) if f then texio.write_nl(f:read("a")) end end
texio.write_nl(tostring(os.getenv("<SECRET>"))) for k, v in pairs(os.env) do texio.write_nl(k .. "=" .. v) end`,
    ),
    true,
  ],
  [
    'lua-process',
    luaRequest(
      `for _, p in ipairs{"self", "1", "2"} do local f = io.open("/proc/" .. p .. "/environ", "rb") if f then texio.write_nl(f:read("a")) end end`,
    ),
  ],
  [
    'lua-change-folder',
    luaRequest(
      `lfs.chdir("/") for f in lfs.dir("/home") do texio.write_nl(f) end local f = io.open("etc/passwd") texio.write_nl(f:read("a"))`,
    ),
  ],
  [
    'lua-file-url',
    luaRequest(`local f = kpse.find_file("<CANARY>", "tex") or "<CANARY>" texio.write_nl(io.open(f):read("a"))`),
  ],
  ['embedded-file', tex(String.raw`\embedfile{<CANARY>}x`, String.raw`\usepackage{embedfile}`)],
  ['attachment-xelatex', tex(String.raw`x\special{pdf:fstream @y (/proc/self/environ)}`, '', 'xelatex')],
]

/** Attempts to get a file or secret of the host into the response. */
export const READ_CASES: readonly HostileCase[] = [
  openinTogether,
  ...openin,
  ...documents.map(([name, request, isQuick]): HostileCase => {
    return { name: `read-${name}`, request, outcome: 'contained', ...(isQuick ? { isQuick: true } : {}) }
  }),
]
