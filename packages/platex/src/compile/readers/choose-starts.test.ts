import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  firstDifference,
  markOf,
  mayBePipe,
  mayRunLua,
  positionOfInput,
  preambleOf,
  startBefore,
} from './choose-starts.ts'

const root = Buffer.from(
  '\\documentclass{article}\n% \\begin{document}\n\\begin{document}\nOne.\n\nTwo.\nThree.\n\\end{document}\n',
)

function textOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : Buffer.from(bytes).toString()
}

test('the preamble ends with the line of \\begin{document} that is no comment', () => {
  assert.equal(textOf(preambleOf(root)), '\\documentclass{article}\n% \\begin{document}\n\\begin{document}\n')
})

test('a comment ends with its line, even without a line feed', () => {
  const text = '% \\begin{document} \\begin{document}\r\\begin{document}\nTides.\n'
  assert.equal(textOf(preambleOf(Buffer.from(text))), text.slice(0, text.indexOf('Tides.')))
})

test('a document that ends with \\begin{document} has no preamble', () => {
  assert.equal(preambleOf(Buffer.from('\\documentclass{article}\n\\begin{document}')), null)
})

test('a root file without \\begin{document} has no preamble', () => {
  assert.equal(preambleOf(Buffer.from('\\input{preamble}\n')), null)
})

test('the start before an edit ends before its paragraph', () => {
  assert.equal(textOf(startBefore(root, root.indexOf('Three')))?.endsWith('One.\n\n'), true)
})

test('the start before an edit ends before its line if the last blank line is far or none', () => {
  const far = `\\begin{document}\nOne.\n\n${'Tides.\n'.repeat(1_000)}`
  const none = `\n\n\\begin{document}\nOne.\n`
  assert.deepEqual(
    [far, none].map((before) => textOf(startBefore(Buffer.from(`${before}Edit.\n`), before.length + 2))),
    [far, none],
  )
})

test('the start before an included file ends before the line that includes it', () => {
  const before = '\\begin{document}\n\n\\include{one}\n'
  assert.equal(textOf(startBefore(Buffer.from(`${before}\\include{two}\n`), before.length)), before)
})

test('an edit in the preamble has no start of its own', () => {
  assert.equal(startBefore(root, 10), null)
})

for (const [before, after, expected] of [
  ['tide', 'tide', null],
  ['tide', 'tile', 2],
  ['tide', 'tides', 4],
] as const) {
  test(`${before} and ${after} first differ at ${expected}`, () => {
    assert.equal(firstDifference(Buffer.from(before), Buffer.from(after)), expected)
  })
}

for (const text of [
  String.raw`\verbatiminput{main.tex}`,
  String.raw`\verbatiminput{\jobname.tex}`,
  String.raw`\verbatiminput{./main}`,
  String.raw`\lstinputlisting[language=TeX]{\jobname}`,
  String.raw`\inputminted{latex}{main}`,
  String.raw`\verbatiminput{\currfilename}`,
  String.raw`\pdffilesize{\rootname}`,
  String.raw`\filemodprint{\rootname}`,
  String.raw`\file_size:n { \c_sys_jobname_str }`,
  String.raw`\file_get_size:nN { \c_sys_jobname_str } \l_tmpa_tl`,
  String.raw`\file_get_mdfive_hash:nN { \c_sys_jobname_str.tex } \l_tmpa_tl`,
  String.raw`\file_timestamp:n { \c_sys_jobname_str }`,
  String.raw`\file_hex_dump:n { \c_sys_jobname_str }`,
  String.raw`\ior_open:Nn \l_tmpa_ior { \c_sys_jobname_str .tex }`,
  String.raw`\directlua{tex.print(lfs.attributes(tex.jobname .. ".tex").size)}`,
  String.raw`\directlua{io.open(tex.jobname .. ".tex")}`,
]) {
  test(`a document that contains ${text} is not read through a pipe`, () => {
    assert.equal(mayBePipe('main.tex', new Map([['main.tex', Buffer.from(text)]])), false)
  })
}

test('a document that only mentions its job name, or files of similar names, is read through a pipe', () => {
  const texts = [
    String.raw`\typeout{\jobname}`,
    String.raw`\input{\jobname.bbl}\input{main-two}\input{domain}`,
    String.raw`\input{one}\bibliography{main}`,
    String.raw`The input of \ref{main}.`,
  ]
  assert.deepEqual(
    texts.map((text) => mayBePipe('main.tex', new Map([['main.tex', Buffer.from(text)]]))),
    texts.map(() => true),
  )
})

test('a comment for editors that names the root file is no mention of it', () => {
  const chapters = [
    '% !TEX root = ../main.tex\nTides.',
    '%!TeX root=main.tex\r\n% !TEX program = xelatex\r\nTides.',
    '% !TEX root = ../main.tex\n\\verbatiminput{../main.tex}',
    '% !TEX root = main.tex \\verbatiminput{main.tex}',
  ]
  assert.deepEqual(
    chapters.map((chapter) => mayBePipe('main.tex', new Map([['chapters/one.tex', Buffer.from(chapter)]]))),
    [true, true, false, false],
  )
})

test('the search for comments for editors takes linear time, whatever a file contains', () => {
  const texts = [
    '% '.repeat(1_000_000),
    '%!TEX root ='.repeat(200_000),
    ' '.repeat(2_000_000),
    '\\input['.repeat(200_000),
  ]
  assert.deepEqual(
    texts.map((text) => mayBePipe('main.tex', new Map([['one.tex', Buffer.from(`${text}main.tex`)]]))),
    [false, false, false, false],
  )
})

test('the position of an input is the position of the first command that names one of the files', () => {
  const text = '\\input{one}\n\\include{parts/two}\n\\input{./three.tex}\n'
  const positions = [['parts/two.tex', 'three.tex'], ['three.tex'], ['four.tex']].map((paths) =>
    positionOfInput(Buffer.from(text), paths),
  )
  assert.deepEqual(positions, [text.indexOf('\\include'), text.indexOf('\\input{./three'), null])
})

test('only LuaTeX runs Lua, in files and in commands', () => {
  const files = new Map([['main.tex', Buffer.from('\\directlua{io.open("x")}')]])
  const answers = [
    mayRunLua({ engine: 'pdflatex', files }),
    mayRunLua({ engine: 'lualatex', files }),
    mayRunLua({ engine: 'lualatex', files: new Map([['main.tex', Buffer.from('Tides')]]) }),
  ]
  assert.deepEqual(answers, [false, true, false])
})

test('only XeTeX needs a mark, and reads no other encoding ahead', () => {
  const marks = [markOf('pdflatex', root), markOf('xelatex', root), markOf('xelatex', Buffer.from([0xfe, 0xff]))]
  assert.deepEqual(
    marks.map((mark) => mark?.length ?? null),
    [0, 3, null],
  )
})

test('the search for \\begin{document} takes linear time, whatever the root file contains', () => {
  const body = '\r'.repeat(1_000_000)
  const roots = ['\\begin{document}'.repeat(125_000), body, `${body}\\begin{document}\n`]
  assert.deepEqual(
    roots.map((text) => preambleOf(Buffer.from(text))?.length ?? null),
    [null, null, 1_000_017],
  )
})

test('a file of many inputs is compared with many files in linear time', () => {
  const root = Buffer.from('\\input{one}'.repeat(180_000))
  const paths = Array.from({ length: 100_000 }, (_, index) => `part-${index}.tex`)
  assert.equal(positionOfInput(root, paths), null)
})
