import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseLog } from './parse-log.ts'

const fragments = [
  '! ', '! Undefined control sequence.', './main.tex:3: ', 'l.3 ', 'l.3 \\foo', '<argument> \\x ', '<*> main.tex', '\n', '\n\n',
  'Runaway argument?', '(./main.tex', '(', ')', '/usr/share/texmf/a.sty', 'Overfull \\hbox (1pt too wide) in paragraph at lines 3--2',
  'has occurred while \\output is active', '[]', 'LaTeX Warning: Reference `x\' on page 1 undefined on input line 3.',
  'Package a Warning: b', '(a)            c', 'Missing character: There is no é in font x!', '^^c3^^a9', '\u0000', 'é', '\r',
  '!!!!!!!!!!!!!!!!!!!!!!!!!!!!', 'Emergency stop.', '*** (job aborted, no legal \\end found)', 'x'.repeat(79), 'This is XeTeX, Version 3',
  'This is BibTeX, Version 0.99d', '---line 3 of file main.bib', 'INFO - This is Biber 2.18', 'ERROR - x, line 3, syntax', '[\\directlua]:1: x',
] // prettier-ignore

const sources = new Map([
  ['main.tex', '\\documentclass{article}\n\\begin{document}\n\\foo{\n\n\\ref{x}$\n\\end{document}\n'],
  ['main.bib', '@book{a,\n title = {T}\n}\n'],
])

function assertSound(log: Uint8Array): void {
  for (const options of [{}, { sources }, { sources, recorder: 'INPUT ./main.tex\nINPUT /usr/share/texmf/a.sty\n' }]) {
    const { errors, warnings } = parseLog(log, options)
    for (const { context } of errors) assert.ok(context === null || context.split('\n').length <= 20)
    for (const { line, message } of [...errors, ...warnings]) {
      assert.ok(line === null || (Number.isSafeInteger(line) && line > 0))
      assert.ok(!message.includes('\n'))
    }
  }
}

describe('parseLog', () => {
  it('accepts any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 2_000 }), assertSound), { numRuns: 300 })
  })

  it('accepts any mixture of messages', () => {
    const mixture = fc.array(fc.constantFrom(...fragments), { maxLength: 60 })
    fc.assert(
      fc.property(mixture, (parts) => assertSound(Buffer.from(parts.join('')))),
      { numRuns: 500 },
    )
  })

  it('reads at most 8 MiB of a log of any size', () => {
    const loop = Buffer.from(
      `(./main.tex\n${'(a) b) ./x.tex:3: loop\n'.repeat(2_000_000)}! LaTeX Error: Late.\n\nl.9 \\x\n   y\n\n`,
    )
    assert.deepEqual(parseLog(loop).errors, [
      {
        type: 'error',
        file: 'main.tex',
        line: 9,
        message: 'LaTeX Error: Late.',
        context: 'l.9 \\x\n   y',
        source: 'latex',
      },
    ])
  })

  describe('of an engine whose letters are Unicode letters', () => {
    const messageOf = (...context: readonly string[]): string | undefined =>
      parseLog(
        ['This is XeTeX', '(./main.tex', '! Undefined control sequence.', ...context, '', ')', ''].join('\n'),
      ).errors.map(({ message }) => message)[0]

    it('adds the name of an undefined command with letters that are not ASCII', () => {
      assert.deepEqual(
        [
          messageOf('l.3 \\größe', '          {x}'),
          messageOf('l.3 a \\foö', '         '),
          messageOf('l.3 \\名前', '        x'),
          messageOf('l.3 \\na\u0308me', '        x'),
        ],
        [
          'Undefined control sequence: \\größe',
          'Undefined control sequence: \\foö',
          'Undefined control sequence: \\名前',
          'Undefined control sequence: \\na\u0308me',
        ],
      )
    })

    it('adds the undefined command in the definition of a command with such a name', () => {
      const context = ['\\größe ->a \\foo ', '                  b', 'l.3 \\größe', '          ']
      assert.equal(messageOf(...context), 'Undefined control sequence: \\foo')
    })
  })

  describe('of a document that prints an index', () => {
    const log = (...lines: readonly string[]): string => ['This is pdfTeX', '(./main.tex', ...lines, ')', ''].join('\n')
    const withSource = (text: string) => ({ rootFile: 'main.tex', sources: new Map([['main.tex', text]]) })
    const source = '\\usepackage{makeidx}\n% \\makeindex\n\\begin{document}\n\\printindex\n'
    const lost = { type: 'warning', code: 'other', file: 'main.tex', line: 4, message: 'No file main.ind.' }

    it('warns at \\printindex if nothing writes the index, once', () => {
      const { warnings } = parseLog(log('No file main.ind.', 'No file other.ind.'), withSource(source))
      assert.deepEqual(warnings, [lost])
    })

    it('warns behind many warnings without a line', () => {
      const many = Array.from({ length: 200 }, (_, at) => `Missing character: There is no ${at} in font cmr10!`)
      const { warnings } = parseLog(log(...many, 'No file main.ind.'), withSource(source))
      assert.deepEqual(warnings.at(-1), lost)
    })

    for (const line of [
      'Writing index file main.idx',
      'Package index Info: Writing index file main.idx on input line 3.',
      'No auxiliary output files.',
      'Package: imakeidx 2016/10/15 v1.3e Package for typesetting indices in a synchronous mode',
      'Package: splitidx 2021/03/22 v1.2c Package for multiple indices',
      'Package: doc 2022/11/13 v3.0m Standard LaTeX documentation package V3 (FMi)',
    ]) {
      it(`does not warn after "${line.slice(0, 45)}"`, () => {
        assert.deepEqual(parseLog(log(line, 'No file main.ind.'), withSource(source)).warnings, [])
      })
    }

    it('does not warn if a source has \\makeindex, or the open one has no \\printindex', () => {
      const silent = [source.replace('% ', ''), source.replace('\\printindex', '\\printindices')]
      for (const text of silent) assert.deepEqual(parseLog(log('No file main.ind.'), withSource(text)).warnings, [])
    })
  })

  it('reads a log without recorder file by the form of its file names', () => {
    const log = [
      'This is pdfTeX, Version 3.14159265-2.6-1.40.15 (TeX Live 2014)',
      '**/home/alice/thesis/main.tex',
      '(/home/alice/thesis/main.tex',
      '(/usr/local/texlive/2014/texmf-dist/tex/latex/base/report.cls',
      'Document Class: report 2007/10/19 v1.4h Standard LaTeX document class',
      ')',
      '(/home/alice/thesis/chapters/one.tex [1] (see below)',
      '! Undefined control sequence.',
      'l.12 \\foo',
      '         bar',
      '',
      ') [2]',
      "LaTeX Warning: Reference `x' on page 2 undefined on input line 40.",
      '',
      ')',
    ].join('\r\n')
    assert.deepEqual(parseLog(log), {
      errors: [
        {
          type: 'error',
          file: 'chapters/one.tex',
          line: 12,
          message: 'Undefined control sequence: \\foo',
          context: 'l.12 \\foo\n         bar',
          source: 'latex',
        },
      ],
      warnings: [
        {
          type: 'warning',
          code: 'undefined-reference',
          file: 'main.tex',
          line: 40,
          message: "LaTeX Warning: Reference `x' on page 2 undefined on input line 40.",
        },
      ],
    })
  })

  describe('of a run that stops to read from the terminal', () => {
    const stop = [
      './main.tex:4: Emergency stop.',
      '<read 0> ',
      '         ',
      'l.4 \\typein{x}',
      '              ^^M',
      '*** (cannot \\read from terminal in nonstop modes)',
      '',
      './main.tex:4:  ==> Fatal error occurred, no output PDF file produced!',
    ]
    const errorsOf = (lines: readonly string[]) => {
      const log = ['This is pdfTeX', ' file:line:error style messages enabled.', '(./main.tex', ...lines, ...stop]
      return parseLog(log.join('\n')).errors.map(({ line, message }) => [line, message])
    }
    const stopped = [4, 'Emergency stop: cannot \\read from terminal in nonstop modes']

    it('reports the stop beside an unrelated error', () => {
      const unrelated = ['./main.tex:3: Undefined control sequence.', 'l.3 \\foo', '        ', '']
      assert.deepEqual(errorsOf(unrelated), [[3, 'Undefined control sequence: \\foo'], stopped])
    })

    it('reports the stop beside a missing picture on another line', () => {
      const message = "Package pdftex.def Error: File `a.png' not found: using draft setting."
      const missing = [
        `./main.tex:3: ${message}`,
        '',
        'l.3 \\includegraphics{a.png}',
        '                           ',
        '',
      ]
      assert.deepEqual(errorsOf(missing), [[3, message], stopped])
    })

    it('merges the stop into the missing file that LaTeX asks for', () => {
      const asks = [
        "! LaTeX Error: File `nofile.tex' not found.",
        '',
        'Type X to quit or <RETURN> to proceed,',
        'or enter new name. (Default extension: tex)',
        '',
        'Enter file name: ',
      ]
      assert.deepEqual(errorsOf(asks), [[4, "LaTeX Error: File `nofile.tex' not found."]])
    })
  })

  describe('of an emergency stop without the line that TeX was reading', () => {
    const stop = ['! Emergency stop.', '*** (job aborted, file error in nonstop mode)']
    const errorsOf = (lines: readonly string[]) =>
      parseLog(['This is pdfTeX', '(./main.tex', ...lines].join('\n'), { rootFile: 'main.tex' }).errors

    it('gives the reason of the stop', () => {
      assert.deepEqual(errorsOf(stop), [
        {
          type: 'error',
          file: 'main.tex',
          line: null,
          message: 'Emergency stop: job aborted, file error in nonstop mode',
          context: '*** (job aborted, file error in nonstop mode)',
          source: 'latex',
        },
      ])
    })

    it('merges the stop into the missing file', () => {
      const message = "LaTeX Error: File `x.tex' not found."
      assert.deepEqual(errorsOf([`! ${message}`, '', 'l.3 \\input{x}', '', ...stop]), [
        { type: 'error', file: 'main.tex', line: 3, message, context: 'l.3 \\input{x}', source: 'latex' },
      ])
    })
  })

  describe('of LuaTeX that cannot write the PDF', () => {
    const fatal = '!  ==> Fatal error occurred, no output PDF file produced!'
    for (const mark of ['! ', '!', '']) {
      it(`reads an error of the backend that begins with "${mark}error:"`, () => {
        const log = ['This is LuaHBTeX, Version 1.15.0', '(./main.tex', `${mark}error:  (pdf backend): no image`, fatal]
        assert.deepEqual(parseLog(log.join('\n'), { rootFile: 'main.tex' }), {
          errors: [
            {
              type: 'error',
              file: 'main.tex',
              line: null,
              message: 'error: (pdf backend): no image',
              context: null,
              source: 'latex',
            },
          ],
          warnings: [],
        })
      })
    }
  })

  describe('of an error in a package', () => {
    const style = '/usr/share/texmf/tex/latex/foo/foo.sty'
    const recorder = `INPUT ./main.tex\nINPUT ${style}\n`
    const expected = (line: number | null, note: string) => [
      {
        type: 'error',
        file: 'main.tex',
        line,
        message: 'Undefined control sequence: \\bar',
        context: `${note}\nl.77 \\bar`,
        source: 'latex',
      },
    ]
    const logOf = (prefix: string) =>
      `(./main.tex\n(${style}\n${prefix}Undefined control sequence.\nl.77 \\bar\n         \n\n))`

    it('names the package and its line in the context', () => {
      assert.deepEqual(
        parseLog(logOf('! '), { rootFile: 'main.tex', recorder }).errors,
        expected(null, 'TeX reported it at foo.sty:77.'),
      )
    })

    it('names the innermost package', () => {
      const inner = '/usr/share/texmf/tex/latex/inner/inner.sty'
      const log = `(./main.tex\n(${style}\n(${inner}\n! Undefined control sequence.\nl.77 \\bar\n         \n\n)))`
      assert.deepEqual(
        parseLog(log, { rootFile: 'main.tex', recorder: `${recorder}INPUT ${inner}\n` }).errors,
        expected(null, 'TeX reported it at inner.sty:77.'),
      )
    })

    it('names the package of an error with file and line', () => {
      const loading = new Map([['main.tex', '\\documentclass{article}\n\\usepackage{foo}\n']])
      assert.deepEqual(
        parseLog(logOf(`${style}:77: `), { rootFile: 'main.tex', recorder, sources: loading }).errors,
        expected(2, 'TeX reported it at foo.sty:77.'),
      )
    })
  })

  it('drops warnings about the machine', () => {
    const log = [
      'This is pdfTeX, Version 3.141592653-2.6-1.40.24 (TeX Live 2022/Debian) (preloaded format=pdflatex)',
      '**main.tex',
      '(./main.tex',
      'Package epstopdf Warning: Shell escape feature is not enabled.',
      '',
      'Missing character: There is no é in font cmr10!',
      ')',
      "pdfTeX warning: pdflatex (file x.map): fontmap entry for `a' already exists, duplicates ignored",
    ].join('\n')
    const messages = parseLog(log).warnings.map(({ message }) => message)
    assert.deepEqual(messages, ['Missing character: There is no é in font cmr10!'])
  })

  it('reads the framed messages of an older LaTeX3', () => {
    const log = [
      '(./main.tex (./a.sty',
      '!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!',
      '!',
      '! fontspec error: "font-not-found"',
      '! ',
      '! The font "X" cannot be found.',
      '! ',
      '! See the fontspec documentation for further information.',
      '! ',
      '! For immediate help type H <return>.',
      '!...............................................  ',
      '                                                  ',
      'l.5 \\setmainfont{X}',
      '                   ',
      '',
      '))',
    ].join('\n')
    const messages = parseLog(log).errors.map(({ message }) => message)
    assert.deepEqual(messages, ['fontspec error: "font-not-found" The font "X" cannot be found.'])
  })

  it('reads an error to its end behind a blank line of the package', () => {
    const log = [
      '(./main.tex',
      './main.tex:8: Package foo Error: First.',
      '(foo)                ',
      '(foo)                Second.',
      '',
      'See the foo package documentation for explanation.',
      'Type  H <return>  for immediate help.',
      ' ...                                              ',
      '                                                  ',
      'l.8 \\PackageError{foo}{First.\\MessageBreak\\MessageBreak Second.}{}',
      '                                                                   ',
      '',
      ')',
    ].join('\n')
    const messages = parseLog(log).errors.map(({ message, context }) => [message, context])
    const context = 'l.8 \\PackageError{foo}{First.\\MessageBreak\\MessageBreak Second.}{}'
    assert.deepEqual(messages, [['Package foo Error: First. Second.', context]])
  })

  describe('of a package error of several lines', () => {
    const errorsOf = (...message: readonly string[]) => {
      const [first = '', ...later] = message
      const log = [
        '(./main.tex',
        `./main.tex:8: Package foo Error: ${first}`,
        ...later,
        '',
        'See the foo package documentation for explanation.',
        'Type  H <return>  for immediate help.',
        ` ->\\errmessage  Package foo Error: ${first}`,
        ...later,
        '',
        'See the foo package documentation for explanation.',
        'Type  H <return>  for immediate help\\@err@                            ',
        '                                                                      ',
        'l.8 \\fail',
        '          {}',
        'The help.',
        '',
        ')',
      ]
      return parseLog(log.join('\n')).errors
    }
    const expected = (message: string) => ({
      type: 'error',
      file: 'main.tex',
      line: 8,
      message: `Package foo Error: ${message}`,
      context: 'l.8 \\fail\n          {}\nThe help.',
      source: 'latex',
    })

    it('joins lines without a prefix', () => {
      assert.deepEqual(errorsOf('AAA', 'bbb', 'ccc.'), [expected('AAA bbb ccc.')])
    })

    it('joins lines without a prefix below one with it', () => {
      assert.deepEqual(errorsOf('AAA', '(foo)                bbb', 'ccc.'), [expected('AAA bbb ccc.')])
    })

    it('joins a line that begins with a command', () => {
      assert.deepEqual(errorsOf('AAA', '\\bar is too late.'), [expected('AAA \\bar is too late.')])
    })
  })

  it('reads a missing character that LuaTeX reports as an error', () => {
    const message = 'Missing character: There is no 中 (U+4E2D) in font cmr10!'
    const context = ['<argument> \\box_use:N \\l_shipout_box ', '             \\__shipout_dr...', 'l.8 \\end{document}']
    const log = [
      'This is LuaHBTeX, Version 1.15.0 (TeX Live 2022/Debian)',
      ' file:line:error style messages enabled.',
      '(./main.tex',
      message,
      '.',
      ...context,
      '                ',
      '',
      '] (./main.aux))',
    ].join('\n')
    const shown = context.map((line) => line.trimEnd()).join('\n')
    assert.deepEqual(parseLog(log), {
      errors: [{ type: 'error', file: 'main.tex', line: 8, message, context: shown, source: 'latex' }],
      warnings: [],
    })
  })

  it('gives no file to a summary of undefined references', () => {
    const message = 'LaTeX Warning: There were undefined references.'
    assert.deepEqual(parseLog(`(./main.tex (./main.aux)\n\n${message}\n\n)`, { sources }).warnings, [
      { type: 'warning', code: 'undefined-reference', file: null, line: null, message },
    ])
  })
})
