import { article, biberRequest, luaRequest } from '../documents.ts'
import type { HostileCase, HostileRequest } from '../hostile-case.ts'

/** Text that only a shell makes of the command, so a log that quotes the command is not reported. */
const FORBIDDEN = ['ran-42-here']
const SAY = 'echo ran-$((6*7))-here'
const COMMAND = `${SAY} > <DROP>/executed; ${SAY} > ran.txt`

const write18 = (command: string, engine = 'pdflatex', preamble = ''): HostileRequest => {
  return {
    source: article(String.raw`\immediate\write18{${command}}\IfFileExists{ran.txt}{\input{ran.txt}}{}x`, preamble),
    engine,
    timeout: 15_000,
  }
}

const attacks: readonly (readonly [name: string, request: HostileRequest, isQuick?: boolean])[] = [
  ['write18', write18(COMMAND), true],
  ['write18-xelatex', write18(COMMAND, 'xelatex')],
  [
    'write18-lualatex',
    {
      ...write18(COMMAND),
      source: article(String.raw`\ShellEscape{${COMMAND}}x`, String.raw`\usepackage{shellesc}`),
      engine: 'lualatex',
    },
  ],
  ['restricted-mpost', write18(`r-mpost -tex='${SAY} > ran.txt' x.mp`)],
  ['restricted-repstopdf', write18('repstopdf --outfile=<DROP>/eps.pdf x.eps')],
  ['restricted-bibtex', write18('bibtex /etc/passwd')],
  ['pipe', { source: article(`\\input{|"${SAY}"}`), timeout: 10_000 }, true],
  ['lua-execute', luaRequest(`texio.write_nl(tostring(os.execute("${COMMAND}")))`), true],
  ['lua-popen', luaRequest(`local p = io.popen("${COMMAND}; cat ran.txt") if p then texio.write_nl(p:read("a")) end`)],
  [
    'lua-upvalues',
    luaRequest(`local seen = {} local function walk(v) if seen[v] then return end seen[v] = true
      if type(v) == "function" then for i = 1, 99 do local n, u = debug.getupvalue(v, i) if not n then break end
        if n == "io_popen" or n == "os_execute" or n == "popen" then pcall(u, "${COMMAND}") end
        if type(u) == "function" or type(u) == "table" then walk(u) end end
      elseif type(v) == "table" then for _, u in pairs(v) do if type(u) == "function" or type(u) == "table" then walk(u) end end end end
      walk(io) walk(os) walk(package) walk(lfs)`),
  ],
  ['lua-loadlib', luaRequest('texio.write_nl(tostring(package.loadlib("libc.so.6", "system")))')],
  ['lua-ffi', luaRequest(`local ffi = require("ffi") ffi.cdef("int system(const char *);") ffi.C.system("${SAY}")`)],
  [
    'driver-configuration',
    {
      source: article(String.raw`x\special{dvipdfmx:config D "${SAY} > <DROP>/driver"}`),
      engine: 'xelatex',
      timeout: 10_000,
    },
  ],
  ['biber-configuration', biberRequest('{refs.bib}', [['sub/biber.conf.xml', '<config><sourcemap/></config>']])],
  [
    'font-script',
    {
      source: article(String.raw`\font\x=ranfont\x A`),
      files: [['tools/mktextfm', `#!/bin/sh\n${SAY}\n`]],
      timeout: 15_000,
    },
  ],
  [
    'minted',
    { source: article(String.raw`\begin{minted}{sh}x\end{minted}`, String.raw`\usepackage{minted}`), timeout: 15_000 },
  ],
]

const CONFIGURATION_FILES = [
  'texmf.cnf',
  '.latexmkrc',
  'biber.conf',
  'mktex.cnf',
  'dvipdfmx.cfg',
  'fonts.conf',
  'texmf/dvipdfmx/dvipdfmx.cfg',
  'texmf/web2c/mktex.cnf',
]

/** Ways to run a command by means of TeX and its tools. */
export const EXECUTE_CASES: readonly HostileCase[] = [
  ...attacks.map(([name, request, isQuick]): HostileCase => {
    return {
      name: `execute-${name}`,
      request,
      outcome: 'contained',
      forbidden: FORBIDDEN,
      ...(isQuick ? { isQuick: true } : {}),
    }
  }),
  ...CONFIGURATION_FILES.map((file): HostileCase => {
    const request = { source: article('x'), files: [[file, 'shell_escape = t\n'] as const] }
    return { name: `execute-configuration-${file.replaceAll('/', '-')}`, request, outcome: 'refused', isQuick: true }
  }),
  // Ignored instead of rejected, because real projects contain them.
  ...['latexmkrc', 'missfont.log'].map((file): HostileCase => {
    const content = `mktextfm cmr10\nmktextfm $(${SAY})\n$pdflatex = '${SAY}';\n`
    const request = { source: article('x'), files: [[file, content] as const] }
    return { name: `execute-ignored-${file}`, request, outcome: 'compiles', forbidden: FORBIDDEN, isQuick: true }
  }),
]
