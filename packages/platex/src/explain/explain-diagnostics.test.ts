import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { LatexError, LatexWarning } from '../base/types.ts'
import { explainDiagnostics } from './explain-diagnostics.ts'

function error(line: number | null, message: string, context: string | null = null): LatexError {
  return { type: 'error', file: 'main.tex', line, message, context, source: 'latex' }
}

function causesOf(...messages: readonly (readonly [number, string])[]): readonly (readonly [string, number | null])[] {
  const errors = messages.map(([line, message]) => error(line, message))
  return explainDiagnostics({ errors, warnings: [] }, new Map()).errors.map(({ message, cause }) => [
    message,
    cause ?? null,
  ])
}

function columnOf(source: string, { line, message, context }: LatexError): number | undefined {
  const files = new Map([['main.tex', Buffer.from(source)]])
  return explainDiagnostics({ errors: [error(line, message, context)], warnings: [] }, files).errors[0]?.column
}

describe('explainDiagnostics', () => {
  it('adds kind, column, summary and remedy to an error', () => {
    const found = error(2, 'Undefined control sequence: \\velocty', 'l.2 The \\velocty\n                 .')
    const files = new Map([['main.tex', Buffer.from('\\newcommand{\\velocity}{v}\nThe \\velocty.\n')]])
    assert.deepEqual(explainDiagnostics({ errors: [found], warnings: [] }, files), {
      errors: [
        {
          ...found,
          code: 'undefined-command',
          column: 5,
          summary: '\\velocty is not defined.',
          remedy: 'Did you mean \\velocity?',
        },
      ],
      warnings: [],
    })
  })

  it('links a font that fontspec looks for again without its extension', () => {
    const [first, second] = ['Lato-Bold.ttf', 'Lato-Bold'].map(
      (name) => `Package fontspec Error: The font "${name}" cannot be found.`,
    )
    assert.deepEqual(causesOf([3, first ?? ''], [3, second ?? '']), [
      [first, null],
      [second, 0],
    ])
  })

  it('links the digits that a missing font for formulas lacks, and the formulas', () => {
    const font = 'Package fontspec Error: The font "Yas" cannot be found.'
    const digits = ['0', '1'].map(
      (digit) => `Package xepersian-mathdigitspec Error: The font "Yas" does not contain U+06F${digit}.`,
    )
    const formula = '\\textfont 6 is undefined (character 0).'
    assert.deepEqual(causesOf([3, font], [3, digits[0] ?? ''], [3, digits[1] ?? ''], [9, formula]), [
      [font, null],
      [digits[0], 0],
      [digits[1], 0],
      [formula, 0],
    ])
  })

  it('explains a missing beginning by the root file if that is not a document', () => {
    const explain = (source: string, file = 'main.tex'): readonly (string | undefined)[] => {
      const found = { ...error(2, 'LaTeX Error: Missing \\begin{document}.'), file }
      const files = new Map([['main.tex', Buffer.from(source)]])
      const explained = explainDiagnostics({ errors: [found], warnings: [] }, files, 'main.tex').errors[0]
      return [explained?.summary, explained?.remedy]
    }
    const usual = [
      'There is text before \\begin{document}.',
      'Add \\begin{document} before the text, or remove what is not a command from the preamble.',
    ]
    assert.deepEqual(
      [
        explain('% !TEX root = ../my thesis.tex \r\n\\input{plot}'),
        explain('Text.\n\\bye\n'),
        explain('Text.'),
        explain('\\documentclass{article}\nText.'),
        explain('\\input{preamble}\nText.'),
        explain('Text.', 'other.tex'),
      ],
      [
        ['This file is a part of ../my thesis.tex.', 'Compile ../my thesis.tex.'],
        [
          'This is plain TeX, and the document is compiled as LaTeX.',
          'Begin with \\documentclass{article} and \\begin{document}, and end with \\end{document} instead of \\bye.',
        ],
        [
          'The file has no \\documentclass and no \\begin{document}.',
          'Begin with \\documentclass{article} and \\begin{document}, and end with \\end{document}.',
        ],
        usual,
        usual,
        usual,
      ],
    )
  })

  it('links the color and the counters of an undefined author of changes to the author', () => {
    const author = 'Package changes Error: Undefined changes author: BB.'
    const color = "Package xcolor Error: Undefined color `'."
    const counter = "LaTeX Error: No counter 'Changes@addedCountBB' defined."
    const laterColor = "Package xcolor Error: Undefined color `authorcolor'."
    const other = "LaTeX Error: No counter 'Changes@addedCountCC' defined."
    assert.deepEqual(
      causesOf([5, author], [5, color], [5, counter], [7, author], [7, laterColor], [7, counter], [8, other]),
      [
        [author, null],
        [color, 0],
        [counter, 0],
        [author, 0],
        [laterColor, 0],
        [counter, 0],
        [other, null],
      ],
    )
  })

  it('names the option engine if the comment that would choose the engine has no effect', () => {
    const found = error(3, 'Undefined control sequence: \\directlua')
    const remedyFor = (source: string, rootFile: string): string | undefined => {
      const files = new Map([['main.tex', Buffer.from(source)]])
      return explainDiagnostics({ errors: [found], warnings: [] }, files, rootFile).errors[0]?.remedy
    }
    const remedy = 'Compile with LuaLaTeX: % !TEX program = lualatex, or write the document without it.'
    assert.deepEqual(
      [
        remedyFor('% !TEX program = lualatex\n', 'main.tex'),
        remedyFor('%!TeX TS-program=LuaLaTeX\r\n', 'main.tex'),
        remedyFor('% !TEX program = pdflatex\n', 'main.tex'),
        remedyFor('% !TEX program = lualatex\n', 'other.tex'),
      ],
      [
        `${remedy} This comment has no effect here: set the option engine to lualatex.`,
        `${remedy} This comment has no effect here: set the option engine to lualatex.`,
        remedy,
        remedy,
      ],
    )
  })

  it('suggests a command whose name has letters that are not ASCII', () => {
    const found = error(2, 'Undefined control sequence: \\größ', 'l.2 Die \\größ\n              .')
    const files = new Map([['main.tex', Buffer.from('\\newcommand{\\größe}{g}\nDie \\größ.\n')]])
    assert.deepEqual(explainDiagnostics({ errors: [found], warnings: [] }, files).errors, [
      {
        ...found,
        code: 'undefined-command',
        column: 5,
        summary: '\\größ is not defined.',
        remedy: 'Did you mean \\größe?',
      },
    ])
  })

  it('points to the character of pdfLaTeX that expands to an undefined command', () => {
    const found = error(1, 'Undefined control sequence: \\foo', 'é ->\\foo \n      \nl.1 \\smallé')
    assert.equal(columnOf('\\smallé\n', found), 7)
  })

  it('points to the symbol of math in an argument that TeX read as a whole', () => {
    const source = 'The $a_1$ and \\emph{a\\_b and my_file}.\n'
    const found = error(1, 'Missing $ inserted.', 'l.1 The $a_1$ and \\emph{a\\_b and my_file}\n             .')
    assert.equal(columnOf(source, found), source.indexOf('_file') + 1)
  })

  it('keeps a mistake in the paragraph after a formula that a blank line cuts', () => {
    const source = '$x^2\n\nText $y_1$ after.\n\nA my_name.\n\n\\begin{align}\na\n\nb_2\n\\end{align}\n\nA my_file.\n'
    const blank = (line: number, blankLine: number) => error(line, 'Missing $ inserted.', `l.${blankLine} \n    \n`)
    const sign = (line: number, upper: string) => error(line, 'Missing $ inserted.', `l.${line} ${upper}\n      name.`)
    const errors = [
      blank(1, 2),
      sign(3, 'Text $y_'),
      sign(5, 'A my_'),
      blank(6, 6),
      blank(9, 9),
      sign(10, 'b_'),
      sign(13, 'A my_'),
    ]
    const files = new Map([['main.tex', Buffer.from(source)]])
    assert.deepEqual(
      explainDiagnostics({ errors, warnings: [] }, files).errors.map(({ line, cause }) => [line, cause ?? null]),
      [
        [1, null],
        [3, 0],
        [5, null],
        [6, 2],
        [9, null],
        [10, 4],
        [13, null],
      ],
    )
  })

  it('links what TeX reports about a picture in another file to the argument that hides its end', () => {
    const begun = 'it begins at plot.tex:2.\nRunaway argument?\n1,1; \\end {tikzpicture}\nl.4 \\input{plot}'
    const cut = { file: 'plot.tex', context: `TeX reported it at main.tex:4; ${begun}` }
    const open = { file: 'plot.tex', context: 'TeX reported it at main.tex:7; it begins at plot.tex:1.' }
    const errors = [
      { ...error(2, 'File ended while scanning use of \\tikz@scan@no@calculator.'), ...cut },
      error(7, 'Improper \\prevdepth.', 'l.7 \\end{document}'),
      error(7, 'Missing \\endgroup inserted.', 'l.7 \\end{document}'),
      { ...error(1, 'LaTeX Error: \\begin{tikzpicture} on input line 1 ended by \\end{document}.'), ...open },
    ]
    assert.deepEqual(
      explainDiagnostics({ errors, warnings: [] }, new Map()).errors.map(({ line, cause }) => [line, cause ?? null]),
      [
        [2, null],
        [7, 0],
        [7, 0],
        [1, 0],
      ],
    )
  })

  it('links what TeX reports about a list without an end in an included chapter to the list', () => {
    const lost = "LaTeX Error: Something's wrong--perhaps a missing \\item."
    const errors = [
      { ...error(5, lost, 'l.5 \n    '), file: 'intro.tex' },
      error(3, 'Improper \\prevdepth.', '\\newpage ->\n          >\nl.3 \\include{waves}'),
      error(3, lost, 'l.3 \\include{waves}'),
      error(4, lost, 'l.4 \\include{tides}'),
      { ...error(1, lost, 'l.1 \\chapter\n            {Tides}'), file: 'tides.tex' },
      {
        ...error(2, 'LaTeX Error: \\begin{itemize} on input line 2 ended by \\end{document}.'),
        file: 'waves.tex',
        context: 'TeX reported it at main.tex:5; it begins at waves.tex:2.\nl.5 \\end{document}',
      },
    ]
    assert.deepEqual(
      explainDiagnostics({ errors, warnings: [] }, new Map()).errors.map(({ file, line, cause }) => [
        file,
        line,
        cause ?? null,
      ]),
      [
        ['intro.tex', 5, null],
        ['waves.tex', 2, null],
        ['main.tex', 3, 1],
        ['main.tex', 3, 1],
        ['main.tex', 4, 1],
        ['tides.tex', 1, 1],
      ],
    )
  })

  it('keeps an argument that the author left open apart from an earlier error', () => {
    assert.deepEqual(
      causesOf(
        [3, "Package kvsetkeys Error: Undefined key `colorlink'."],
        [8, 'Paragraph ended before \\href@split was complete.'],
        [9, 'Double superscript.'],
        [12, 'File ended while scanning use of \\@kernel@ref.'],
        [12, 'Undefined control sequence: \\@nil'],
      ).map(([, cause]) => cause),
      [null, null, null, null, 3],
    )
  })

  it('links everything in a file in UTF-16 to its encoding', () => {
    assert.deepEqual(
      causesOf(
        [1, 'main.tex is encoded in UTF-16, which pdflatex cannot read'],
        [1, 'LaTeX Error: Missing \\begin{document}.'],
        [2, 'Undefined control sequence.'],
      ).map(([, cause]) => cause),
      [null, 0, 0],
    )
  })

  it('links an environment around an unclosed one to it, even if TeX reports it first', () => {
    assert.deepEqual(
      causesOf(
        [2, 'LaTeX Error: \\begin{align*} on input line 2 ended by \\end{document}.'],
        [8, 'LaTeX Error: \\begin{cases} on input line 8 ended by \\end{align*}.'],
      ),
      [
        ['LaTeX Error: \\begin{cases} on input line 8 ended by \\end{align*}.', null],
        ['LaTeX Error: \\begin{align*} on input line 2 ended by \\end{document}.', 0],
      ],
    )
  })

  it('links the time limit to a rule of a table after which TeX repeats itself', () => {
    const rule = error(7, 'Misplaced \\noalign.')
    const stop = { ...error(null, 'Compilation timed out after 60000 ms (pass 1, pdflatex)'), file: null }
    const { errors } = explainDiagnostics({ errors: [rule, stop], warnings: [] }, new Map())
    assert.deepEqual(
      errors.map(({ message, cause }) => [message, cause ?? null]),
      [
        [rule.message, null],
        [stop.message, 0],
      ],
    )
  })

  it('does not explain the open group of an error on its line', () => {
    const found: LatexWarning = {
      type: 'warning',
      code: 'other',
      file: 'main.tex',
      line: 3,
      message: '\\end occurred inside a group at level 1: simple group (level 1) entered at line 3 ({)',
    }
    const errors = [error(3, 'Missing $ inserted.', 'l.3 a_')]
    assert.deepEqual(explainDiagnostics({ errors, warnings: [found] }, new Map()).warnings, [found])
  })

  it('adds summary and remedy to a warning, whose code stays', () => {
    const found: LatexWarning = {
      type: 'warning',
      code: 'undefined-reference',
      file: 'main.tex',
      line: 1,
      message: "LaTeX Warning: Reference `a' on page 1 undefined on input line 1.",
    }
    assert.deepEqual(explainDiagnostics({ errors: [], warnings: [found] }, new Map()).warnings, [
      { ...found, summary: '\\ref{a}: no \\label has this name.', remedy: 'Add the \\label, or check its name.' },
    ])
  })

  it('leaves 1,000 unknown errors with long messages unchanged', () => {
    // Looking for their rule again for each pair of errors would take minutes.
    const errors = Array.from({ length: 1_000 }, (_, at) =>
      error(at + 1, `Package tides Error: ${'high water '.repeat(200)}${at}`),
    )
    assert.deepEqual(explainDiagnostics({ errors, warnings: [] }, new Map()), { errors, warnings: [] })
  })

  it('leaves unknown diagnostics unchanged', () => {
    const found = error(3, 'Package foo Error: the moon is full.')
    assert.deepEqual(explainDiagnostics({ errors: [found], warnings: [] }, new Map()).errors, [found])
  })

  it('links the end of an undefined environment to its beginning', () => {
    assert.deepEqual(
      causesOf(
        [4, 'LaTeX Error: Environment foo undefined.'],
        [5, 'Undefined control sequence: \\bar'],
        [6, 'LaTeX Error: \\begin{document} ended by \\end{foo}.'],
      ),
      [
        ['LaTeX Error: Environment foo undefined.', null],
        ['LaTeX Error: \\begin{document} ended by \\end{foo}.', 0],
        ['Undefined control sequence: \\bar', null],
      ],
    )
  })

  it('links commands and pictures of PostScript to the driver that the class selects', () => {
    const driver =
      "Package hyperref Error: Wrong DVI mode driver option `dvips', because pdfTeX is running in PDF mode."
    assert.deepEqual(
      causesOf(
        [1, driver],
        [1, 'LaTeX Error: Unknown graphics extension: .ps.'],
        [3, 'Undefined control sequence: \\pdfmark'],
        [4, 'Undefined control sequence: \\PSTricks'],
      ),
      [
        [driver, null],
        ['LaTeX Error: Unknown graphics extension: .ps.', 0],
        ['Undefined control sequence: \\pdfmark', 0],
        ['Undefined control sequence: \\PSTricks', 0],
      ],
    )
  })

  it('links the missing \\end{document} to a misspelled one', () => {
    const misspelled = 'LaTeX Error: \\begin{document} ended by \\end{docment}.'
    const other = 'LaTeX Error: \\begin{document} ended by \\end{itemize}.'
    const end = 'Emergency stop: job aborted, no legal \\end found'
    const causesBefore = (message: string) => {
      const errors = [error(4, message), error(null, end)]
      return explainDiagnostics({ errors, warnings: [] }, new Map()).errors.map(({ cause }) => cause ?? null)
    }
    assert.deepEqual(
      [causesBefore(misspelled), causesBefore(other)],
      [
        [null, 0],
        [null, null],
      ],
    )
  })

  it('links a command of text in math to an error in the bibliography before it', () => {
    const inDatabase: LatexError = { ...error(5, 'Missing $ inserted.', 'l.5 x_\n      1'), file: 'refs.bib' }
    const errors = [inDatabase, error(6, 'LaTeX Error: Command \\itshape invalid in math mode.')]
    assert.deepEqual(
      explainDiagnostics({ errors, warnings: [] }, new Map()).errors.map(({ cause }) => cause ?? null),
      [null, 0],
    )
  })

  it('links recovery errors of TeX to the first error of the line', () => {
    assert.deepEqual(
      causesOf(
        [4, 'LaTeX Error: \\verb illegal in argument.'],
        [4, 'Argument of \\@sect has an extra }.'],
        [4, 'Missing } inserted.'],
        [5, 'Paragraph ended before \\@gobble was complete.'],
        [5, 'Missing } inserted.'],
      ),
      [
        ['LaTeX Error: \\verb illegal in argument.', null],
        ['Argument of \\@sect has an extra }.', 0],
        ['Missing } inserted.', 0],
        ['Paragraph ended before \\@gobble was complete.', 0],
        ['Missing } inserted.', 0],
      ],
    )
  })

  it('links every paragraph without \\begin{document} to the first', () => {
    assert.deepEqual(
      causesOf(
        [2, 'LaTeX Error: Missing \\begin{document}.'],
        [4, 'LaTeX Error: Missing \\begin{document}.'],
        [5, "I can't find file `main.aux'."],
      ),
      [
        ['LaTeX Error: Missing \\begin{document}.', null],
        ['LaTeX Error: Missing \\begin{document}.', 0],
        ["I can't find file `main.aux'.", 0],
      ],
    )
  })

  it('links errors that TeX reports before \verb in an argument to it', () => {
    assert.deepEqual(
      causesOf([4, 'Missing $ inserted.'], [4, 'LaTeX Error: \\verb illegal in argument.'], [5, 'Missing $ inserted.']),
      [
        ['LaTeX Error: \\verb illegal in argument.', null],
        ['Missing $ inserted.', 0],
        ['Missing $ inserted.', null],
      ],
    )
  })

  it('links the end of a formula that TeX itself opened to the symbol before it', () => {
    const open = error(3, 'Missing $ inserted.', 'l.3 The my_\n           file')
    const close = error(4, 'Missing $ inserted.', 'l.4 \n    ')
    const later = error(5, 'Missing $ inserted.', 'l.5 The your_\n             file')
    const { errors } = explainDiagnostics({ errors: [open, close, later], warnings: [] }, new Map())
    assert.deepEqual(
      errors.map(({ line, cause }) => [line, cause ?? null]),
      [
        [3, null],
        [4, 0],
        [5, null],
      ],
    )
  })

  it('links the hidden end of the document to the error that hides it', () => {
    assert.deepEqual(
      causesOf(
        [6, 'Extra }, or forgotten \\endgroup.'],
        [3, 'LaTeX Error: \\begin{figure} on input line 3 ended by \\end{document}.'],
        [4, 'Emergency stop: job aborted, no legal \\end found'],
      ),
      [
        ['Emergency stop: job aborted, no legal \\end found', null],
        ['Extra }, or forgotten \\endgroup.', 0],
        ['LaTeX Error: \\begin{figure} on input line 3 ended by \\end{document}.', 0],
      ],
    )
  })

  it('links the end of a group to the end without a beginning that ended it', () => {
    assert.deepEqual(causesOf([4, "Too many }'s."], [4, 'LaTeX Error: \\begin{document} ended by \\end{figure}.']), [
      ['LaTeX Error: \\begin{document} ended by \\end{figure}.', null],
      ["Too many }'s.", 0],
    ])
  })

  it('does not link two independent errors on one line', () => {
    const messages = ['Undefined control sequence: \\foo', 'Undefined control sequence: \\bar']
    assert.deepEqual(
      causesOf(...messages.map((message): [number, string] => [4, message])),
      messages.map((message) => [message, null]),
    )
  })

  it('returns no column if the source has another line than TeX shows', () => {
    const found = error(1, 'Missing $ inserted.', 'l.1 other text_\n               1')
    assert.equal(columnOf('The range a_1\n', found), undefined)
  })

  it('finds the column in a line of which TeX shows only the end', () => {
    const found = error(1, 'Missing $ inserted.', 'l.1 ...range a_\n               1')
    assert.equal(columnOf('The range a_1\n', found), 12)
  })

  it('returns no column if the end that TeX shows occurs twice in the line', () => {
    const found = error(1, 'Missing $ inserted.', 'l.1 ...a_\n         1')
    assert.equal(columnOf('a_1 and a_2\n', found), undefined)
  })
})
