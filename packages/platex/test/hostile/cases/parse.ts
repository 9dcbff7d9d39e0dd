import { article, bibtexRequest, luaRequest } from '../documents.ts'
import type { HostileCase, HostileRequest } from '../hostile-case.ts'

/** Printed when the hostile content is written. */
const PROOF = 'hostile content is written'

/** Content of many equal pieces, as Lua writes it. */
function repeated(piece: string, count: number): string {
  return `string.rep([==[\n${piece}]==], ${count})`
}

/** Content of many different pieces: each `#` stands for a number. */
function numbered(piece: string, count: number): string {
  return `(function() local t = {} for i = 1, ${count} do t[i] = (([==[\n${piece}]==]):gsub("#", i)) end return table.concat(t) end)()`
}

function inLog(content: string): HostileRequest {
  return luaRequest(`texio.write_nl("log", ${content}) texio.write_nl("log", "") print("${PROOF}")`)
}

/** A file that TeX itself does not write in this document. */
function inFile(name: string, content: string): HostileRequest {
  return luaRequest(`local f = io.open("${name}", "w") f:write(${content}) f:close() print("${PROOF}")`)
}

/** Replaces a file that TeX has written and closed. */
function inPlaceOf(name: string, content: string): HostileRequest {
  const write = `local f = io.open("${name}", "w") f:write(${content}) f:close() print("${PROOF}")`
  return luaRequest(`luatexbase.add_to_callback("wrapup_run", function() ${write} end, "write")`)
}

/** A BibTeX style that repeats one message. */
function inBibtexLog(warning: string, count: number): HostileRequest {
  const style = `ENTRY {title} {} {}\nINTEGERS {n}\nFUNCTION {say} { #0 'n := { n #${count} < } { "${warning}" warning$ n #1 + 'n := } while$ }\nREAD\nEXECUTE {say}\n`
  return bibtexRequest('say', [['say.bst', style]])
}

const attacks: readonly (readonly [name: string, request: HostileRequest, isQuick?: boolean])[] = [
  ['log-line-feeds', inLog(repeated('\n', 8_000_000))],
  ['log-one-line', inLog(repeated('LaTeX Warning: ', 500_000))],
  ['log-opening-parentheses', inLog(repeated('(', 8_000_000))],
  ['log-closing-parentheses', inLog(repeated(')', 8_000_000))],
  ['log-file-names', inLog(repeated('(./main.tex ', 600_000))],
  ['log-errors', inLog(numbered('! Undefined control sequence #.\nl.# \\x\n\n', 100_000)), true],
  ['log-same-error', inLog(repeated('! Undefined control sequence.\nl.1 \\x\n\n', 150_000))],
  ['log-warnings', inLog(numbered("LaTeX Warning: Reference `#' on page 1 undefined on input line #.\n\n", 80_000))],
  ['log-citations', inLog(numbered("LaTeX Warning: Citation `#' on page 1 undefined on input line #.\n\n", 80_000))],
  ['log-package-warnings', inLog(repeated('Package a Warning: b\n(a)      c\n', 200_000))],
  ['log-unended-reference', inLog(repeated('Reference `', 700_000))],
  ['log-no-file', inLog(numbered('No file #.\n', 400_000))],
  ['log-no-index', inLog(numbered('No file #.ind.\n', 300_000))],
  ['log-output-written', inLog(repeated('Output written on ', 400_000))],
  [
    'log-overfull',
    inLog(repeated('Overfull \\hbox (1.0pt too wide) in paragraph at lines 1--2\n[]\\OT1/cmr/m/n/10 x\n\n', 90_000)),
  ],
  ['log-carets', inLog(repeated('^^c3^^a9', 900_000))],
  ['log-bytes', inLog(repeated('\\255\\254', 2_000_000).replace('[==[\n', '"').replace(']==]', '"'))],
  ['log-runaway', inLog(repeated('Runaway argument?\n{x\n', 350_000))],
  ['log-unwritable', inLog(repeated("! I can't write on file `a/b/c.aux'.\n", 200_000))],
  ['log-conversions', inLog(numbered('runsystem(repstopdf --outfile=a#.pdf a#.eps)...disabled\n', 100_000))],
  ['log-emergencies', inLog(repeated('! Emergency stop.\n', 400_000))],
  ['log-context', inLog(repeated('<argument> x\n             y\n', 250_000))],
  ['log-imakeidx', inLog(numbered("(imakeidx) `makeindex -s #.ist main.idx'\n", 150_000))],
  ['recorder-repeated', inPlaceOf('main.fls', repeated('INPUT ./main.tex\n', 3_500_000)), true],
  ['recorder-inputs', inPlaceOf('main.fls', numbered('INPUT file-#.tex\n', 1_000_000))],
  ['recorder-outputs', inPlaceOf('main.fls', numbered('OUTPUT file-#.tex\n', 1_000_000))],
  ['recorder-one-line', inPlaceOf('main.fls', `"INPUT " .. ${repeated('../', 5_000_000)}`)],
  ['recorder-folders', inPlaceOf('main.fls', repeated('PWD /a\n', 2_000_000))],
  ['recorder-opened', luaRequest(`for i = 1, 300000 do io.open("x", "r") end print("${PROOF}")`)],
  ['aux-entries', inPlaceOf('main.aux', numbered('\\newlabel{#}{{1}{1}}\n', 400_000))],
  ['aux-braces', inPlaceOf('main.aux', repeated('\\@writefile{toc}{{', 1_000_000))],
  ['aux-citations', inPlaceOf('main.aux', numbered('\\citation{#}\n', 800_000))],
  ['aux-inputs', inPlaceOf('main.aux', repeated('\\@input{main.aux}\n', 800_000))],
  ['aux-databases', inPlaceOf('main.aux', numbered('\\citation{a}\n\\bibstyle{plain}\n\\bibdata{#}\n', 200_000))],
  [
    'aux-glossaries',
    inPlaceOf('main.aux', `"\\\\@istfilename{a.ist}\\n" .. ${numbered('\\@newglossary{a}{g#}{h#}{i#}\n', 200_000)}`),
  ],
  ['aux-resources', inPlaceOf('main.aux', repeated('\\glsxtr@resource{', 1_000_000))],
  ['index-entries', inFile('main.idx', numbered('\\indexentry{#}{1}\n', 200_000))],
  ['index-names', inFile('main.idx', numbered('\\indexentry[i#]{a}{1}\n', 100_000))],
  ['index-unended', inFile('main.idx', repeated('\\indexentry [', 1_000_000))],
  ['control-file-comments', inFile('main.bcf', repeated('<!--', 1_000_000))],
  [
    'control-file-databases',
    inFile('main.bcf', numbered('<bcf:datasource type="file">#.bib</bcf:datasource>\n', 200_000)),
  ],
  ['control-file-keys', inFile('main.bcf', numbered('<bcf:citekey order="#">#</bcf:citekey>\n', 300_000))],
  ['contents-large', inFile('main.toc', repeated('{', 30_000_000))],
  ['fonts-missing', inFile('missfont.log', numbered('mktextfm font#\n', 1_000_000))],
  ['bibtex-warnings', inBibtexLog('nothing is right here', 100_000), true],
  ['bibtex-errors', inBibtexLog('---line 1 of file refs.bib', 100_000)],
  [
    'source-of-commands',
    {
      source: article(String.raw`\undefined`),
      files: [['other.tex', '\\input{a}\n'.repeat(300_000)]],
      timeout: 20_000,
    },
    true,
  ],
  [
    'source-of-braces',
    { source: article(String.raw`\undefined{{{`), files: [['other.tex', '{'.repeat(4_000_000)]], timeout: 20_000 },
  ],
  [
    'source-of-includes',
    { source: article('Text.'), files: [['other.tex', '\\include{a/b}'.repeat(300_000)]], timeout: 20_000 },
  ],
]

/** Files written by a document that are parsed after a pass: logs, recorder files, auxiliary files. */
export const PARSE_CASES: readonly HostileCase[] = attacks.map(([name, request, isQuick]) => ({
  name: `parse-${name}`,
  request,
  outcome: 'contained',
  ...(request.engine === 'lualatex' ? { proof: PROOF } : {}),
  ...(isQuick === true ? { isQuick } : {}),
}))
