import type { BrokenDocument } from '../document.ts'

interface LookAlike {
  readonly title: string
  readonly body: string
  readonly preamble?: string
  readonly files?: Readonly<Record<string, string>>
}

/** Correct documents that print text which looks like an error, a file or its end. */
export const lookAlikeDocuments: readonly BrokenDocument[] = listLookAlikes().map(
  ({ title, body, preamble, files }) => ({
    title,
    files: {
      'main.tex': `\\documentclass{article}\n${preamble ?? ''}\\begin{document}\n${body}\n\nText.\n\\end{document}\n`,
      ...files,
    },
    errors: [],
  }),
)

function listLookAlikes(): readonly LookAlike[] {
  return [
    { title: 'a typeout that begins with an exclamation mark', body: '\\typeout{! Undefined control sequence.}' },
    { title: 'a typeout with a file and a line', body: '\\typeout{./main.tex:12: Undefined control sequence.}' },
    { title: 'a typeout with a file and a line without a dot', body: '\\typeout{main.tex:12: Emergency stop here}' },
    { title: 'a typeout of a LaTeX error', body: "\\typeout{! LaTeX Error: File `x.sty' not found.}" },
    { title: 'a message in the middle of a line', body: '\\message{! Missing $ inserted.}' },
    { title: 'a message with a line number', body: '\\typeout{l.5 \\string\\foo}' },
    {
      title: 'an error and its context far apart',
      body: '\\typeout{! Fake.}\n\\typeout{between}\n\\typeout{}\n\\typeout{after}',
    },
    { title: 'a typeout of a runaway argument', body: '\\typeout{Runaway argument?}\n\\typeout{some text}' },
    { title: 'a typeout of a fatal end', body: '\\typeout{ ==> Fatal error occurred, no output PDF file produced!}' },
    { title: 'opening parentheses', body: '\\typeout{(((}' },
    { title: 'closing parentheses', body: '\\typeout{:-) done}' },
    { title: 'a list with closing parentheses', body: '\\typeout{a) one}\n\\typeout{b) two}' },
    { title: 'the name of a file that is not open', body: '\\typeout{(./nosuch.tex and (article.cls}' },
    {
      title: 'boxes with exclamation marks',
      body: '\\hbox to 1cm{! Undefined control sequence in a box that is too wide}',
    },
    { title: 'boxes with a file and a line', body: '\\hbox to 1cm{./main.tex:12: Missing something in a box}' },
    { title: 'boxes with parentheses', body: '\\hbox to 1cm{:-) ) ) (./main.tex (((}' },
    {
      title: 'a wide paragraph of file names',
      body: '\\noindent\\texttt{./main.tex:12:AVeryLongUnbreakableNameThatSticksOutOfTheMarginOfThePageByFarAndOn}',
    },
    { title: 'a clock and an address', body: '\\typeout{12:30:15 http://example.org:80/x}' },
    { title: 'a typeout of Lua', body: '\\typeout{[\\string\\directlua]:1: boom}' },
    { title: 'a typeout of the word error', body: '\\typeout{Error: something}\n\\typeout{error: (pdf backend): x}' },
    { title: 'a package info with parentheses', body: '\\makeatletter\\@latex@info{Say (something}\\makeatother' },
    { title: 'numbers and colons', body: '\\typeout{1:2: three}\n\\typeout{foo:3: bar}' },
    {
      title: 'a line of exclamation marks',
      body: '\\typeout{!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!}\n\\typeout{! still text}',
    },
    { title: 'a line of 79 characters', body: `\\typeout{${'x'.repeat(79)}}\n\\typeout{! next}` },
    { title: 'a line of 80 characters', body: `\\typeout{${'y'.repeat(80)}}\n\\typeout{./main.tex:1: next}` },
    {
      title: 'a file that the document shows verbatim',
      body: '\\begin{verbatim}\n! Undefined control sequence.\nl.3 \\foo\n\\end{verbatim}',
    },
    {
      title: 'an input that prints parentheses',
      body: '\\input{part}',
      files: { 'part.tex': '\\typeout{)))}\n\\typeout{(main.tex)}\nok\n' },
    },
    {
      title: 'an input between messages',
      body: '\\message{a (b}\\input{part}\\message{c) d}',
      files: { 'part.tex': 'ok\n' },
    },
    { title: 'a meaning and a show of tokens', body: '\\typeout{\\meaning\\section}' },
    { title: 'the words of a bad box', body: '\\typeout{Overfull}\n\\typeout{! Overfull}' },
    { title: 'a driver message', body: '\\typeout{xdvipdfmx:fatal: not really}' },
    { title: 'a hundred errors', body: '\\typeout{(That makes 100 errors; almost}' },
  ]
}
