/**
 * One contract for four entry points: a document gives the same result locally, at a service, and with both request
 * handlers.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { ENTRY_POINTS } from '../support/compile-entry-points.ts'
import type { CompileOptions } from '../../src/api/index.ts'
import type { EntryPoint } from '../support/compile-entry-points.ts'
import {
  CITING,
  ENDLESS,
  FATAL,
  HELLO,
  INCLUDING,
  REFERENCES,
  WITH_ERROR,
  bytesOf,
  isPdf,
} from '../support/documents.ts'
import { listLeftovers } from '../support/list-leftovers.ts'
import { startService, type LiveService } from '../support/start-service.ts'
import { eventually } from '../support/eventually.ts'

const LIMITS = { maxSourceBytes: 300, maxFilesCount: 2, maxTotalFilesBytes: 400, maxPdfBytes: 30_000 }
const latin1 = new TextDecoder('latin1')

// Shared by the entry points that compile remotely: a service keeps the results of the first for the second.
let service: LiveService
let narrowService: LiveService
before(async () => {
  service = await startService()
  narrowService = await startService({ limits: LIMITS })
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await narrowService[Symbol.asyncDispose]()
})

for (const [name, openEntryPoint] of Object.entries(ENTRY_POINTS)) {
  describe(`the contract through ${name}`, () => {
    let entryPoint: EntryPoint
    let narrowDoor: EntryPoint
    before(() => {
      entryPoint = openEntryPoint({ serviceUrl: service.url })
      narrowDoor = openEntryPoint({ serviceUrl: narrowService.url, config: { limits: LIMITS } })
    })

    test('committed build products are ignored, with a warning that names them', async () => {
      const products = ['main.pdf', 'main.log', 'main.fls', 'main.synctex.gz', 'missfont.log', 'latexmkrc']
      const files = Object.fromEntries(products.map((path) => [path, bytesOf('not of this compile')]))
      const { pdf, errors, warnings } = await entryPoint.compile(HELLO, { files })
      assert.deepEqual([isPdf(pdf), errors, warnings.length], [true, [], 1])
      assert.deepEqual(
        products.filter((path) => !warnings[0]?.message.includes(path)),
        [],
      )
    })

    test('main.aux and main.bbl in files are inputs', async () => {
      const files = {
        'main.aux': bytesOf('\\relax\n\\newlabel{sea}{{7}{1}}\n'),
        'main.bbl': bytesOf('\\begin{thebibliography}{1}\\bibitem{alice} Alice.\\end{thebibliography}\n'),
      }
      const source =
        '\\documentclass{article}\\begin{document}\\makeatletter\\@ifundefined{r@sea}{\\errmessage{no aux}}{}\\ref{sea}\\cite{alice}\\bibliographystyle{plain}\\bibliography{refs}\\end{document}'
      const { pdf, errors } = await entryPoint.compile(source, { files, passes: 1 })
      assert.deepEqual([isPdf(pdf), errors], [true, []])
    })

    test('a plain document gives a PDF without diagnostics', async () => {
      const { pdf, errors, warnings } = await entryPoint.compile(HELLO)
      assert.deepEqual([isPdf(pdf), errors, warnings], [true, [], []])
    })

    test('an error in a document with a PDF has file and line', async () => {
      const { pdf, errors } = await entryPoint.compile(WITH_ERROR)
      assert.deepEqual(
        [isPdf(pdf), errors.map(({ type, file, line, source }) => ({ type, file, line, source }))],
        [true, [{ type: 'error', file: 'main.tex', line: 3, source: 'latex' }]],
      )
    })

    test('explanations of errors use the definitions in the files', async () => {
      const source = '\\documentclass{article}\n\\input{names}\n\\begin{document}\nThe \\velocty.\n\\end{document}\n'
      const files = { 'names.tex': bytesOf('\\newcommand{\\velocity}{v}') }
      const { errors } = await entryPoint.compile(source, { files })
      assert.deepEqual(
        errors.map(({ line, column, code, summary, remedy }) => ({ line, column, code, summary, remedy })),
        [
          {
            line: 4,
            column: 5,
            code: 'undefined-command',
            summary: '\\velocty is not defined.',
            remedy: 'Did you mean \\velocity?',
          },
        ],
      )
    })

    test('a fatal error gives pdf null and the reason', async () => {
      const { pdf, errors } = await entryPoint.compile(FATAL)
      assert.deepEqual([pdf, errors[0]?.file, errors[0]?.line], [null, 'main.tex', 2])
      assert.match(errors[0]?.message ?? '', /nosuchpackage/)
    })

    test('an empty document gives pdf null and an error', async () => {
      const { pdf, errors } = await entryPoint.compile('')
      assert.deepEqual([pdf, errors.length > 0], [null, true])
    })

    test('a file in a folder is included, and errors in it have its name', async () => {
      const files = { 'parts/one.tex': bytesOf('Fine.\n\\nosuchmacro\n') }
      const { pdf, errors } = await entryPoint.compile(INCLUDING, { files })
      assert.deepEqual(
        [isPdf(pdf), errors.map(({ file, line }) => ({ file, line }))],
        [true, [{ file: 'parts/one.tex', line: 2 }]],
      )
    })

    test('files may be text', async () => {
      const { pdf, errors, warnings } = await entryPoint.compile(CITING, { files: { 'refs.bib': REFERENCES } })
      assert.deepEqual([isPdf(pdf), errors, warnings], [true, [], []])
    })

    test('main names a root file in a folder, where TeX runs', async () => {
      const files = { 'thesis/book.tex': INCLUDING, 'thesis/parts/one.tex': 'Fine.\n\\nosuchmacro\n', 'main.tex': 'x' }
      const { pdf, errors } = await entryPoint.compile(null, { main: 'thesis/book.tex', files })
      assert.deepEqual(
        [isPdf(pdf), errors.map(({ file, line }) => ({ file, line }))],
        [true, [{ file: 'thesis/parts/one.tex', line: 2 }]],
      )
    })

    test('main is the name of the source', async () => {
      const { pdf, errors } = await entryPoint.compile(WITH_ERROR, { main: 'paper.tex' })
      assert.deepEqual([isPdf(pdf), errors.map(({ file }) => file)], [true, ['paper.tex']])
    })

    const wrongRoots: readonly (readonly [string, string | null, CompileOptions, RegExp])[] = [
      ['a root file that is not there', null, { main: 'a.tex' }, /^main names a\.tex, which is not in files$/],
      [
        'a root file that is given twice',
        HELLO,
        { main: 'a.tex', files: { 'a.tex': '' } },
        /^main names a file that is in files, but source is set too/,
      ],
      ['a root file that is no TeX', null, { main: 'a.txt', files: { 'a.txt': '' } }, /^main must end with \.tex$/],
      ['a root file outside the project', null, { main: '../a.tex' }, /^file name .* has the part \.\./],
      ['neither source nor main', null, { files: { 'a.tex': '' } }, /^source is missing/],
      [
        'a folder where a result goes',
        HELLO,
        { main: 'b/a.tex', files: { 'b/a.log/x': '' } },
        /the compile writes a file/,
      ],
    ]
    for (const [name, source, options, message] of wrongRoots) {
      test(`${name} is refused`, async () => {
        await assert.rejects(entryPoint.compile(source, options), { name: 'Refusal', message })
      })
    }

    test('outputs returns the requested files, null for one that the document did not create', async () => {
      const files = { 'a/paper.tex': CITING, 'a/refs.bib': REFERENCES }
      const { outputs } = await entryPoint.compile(null, {
        main: 'a/paper.tex',
        files,
        outputs: ['synctex', 'bbl', 'toc'],
      })
      assert.deepEqual(Object.keys(outputs ?? {}), ['bbl', 'toc', 'synctex'])
      assert.match(latin1.decode(outputs?.bbl ?? undefined), /\\bibitem\{alice\}/)
      assert.match(latin1.decode(outputs?.synctex ?? undefined), /^SyncTeX[^]*\nInput:1:a\/paper\.tex\n/)
      assert.equal(outputs?.toc, null)
    })

    test('only requested outputs are returned', async () => {
      assert.equal('outputs' in (await entryPoint.compile(HELLO)), false)
    })

    test('a PDF over maxPdfBytes gives pdf null and an error that names the limit', async () => {
      const source = String.raw`\documentclass{article}\begin{document}a\textit{a}\textbf{a}\texttt{a}\textsf{a}$a$\end{document}`
      const { pdf, errors } = await narrowDoor.compile(source)
      assert.deepEqual([pdf, errors.map(({ code }) => code)], [null, ['pdf-too-large']])
      assert.match(errors[0]?.message ?? '', /^The PDF exceeds maxPdfBytes: \d+ > 30000$/)
    })

    test('a bibliography is resolved by default', async () => {
      const { pdf, errors, warnings } = await entryPoint.compile(CITING, { files: { 'refs.bib': bytesOf(REFERENCES) } })
      assert.deepEqual([isPdf(pdf), errors, warnings], [true, [], []])
    })

    test('bibliography none leaves the citation undefined', async () => {
      const files = { 'refs.bib': bytesOf(REFERENCES) }
      const { warnings } = await entryPoint.compile(CITING, { files, bibliography: 'none' })
      assert.ok(warnings.some((warning) => warning.code === 'undefined-citation' && warning.file === 'main.tex'))
    })

    for (const engine of ['xelatex', 'lualatex'] as const) {
      test(`engine ${engine} compiles`, async () => {
        const source = String.raw`\documentclass{article}\usepackage{iftex}\Require${engine === 'xelatex' ? 'XeTeX' : 'LuaTeX'}
          \begin{document}Hello\end{document}`
        const { pdf, errors } = await entryPoint.compile(source, { engine })
        assert.deepEqual([isPdf(pdf), errors], [true, []])
      })
    }

    test('passes 1 runs once, references or not', async () => {
      const source = String.raw`\documentclass{article}\begin{document}\ref{a}\label{a}\end{document}`
      const { logs, warnings } = await entryPoint.compile(source, { passes: 1 })
      assert.equal(logs?.length ?? 1, 1)
      assert.ok(warnings.some((warning) => warning.code === 'undefined-reference'))
    })

    test('a timeout gives pdf null and an error that says so', async () => {
      const { pdf, errors, logs } = await entryPoint.compile(ENDLESS, { timeout: 1000 })
      assert.equal(pdf, null)
      assert.match(errors[0]?.message ?? '', /timed out after 1000 ms/)
      assert.deepEqual([logs?.at(-1)?.timedOut ?? true, logs?.at(-1)?.exitCode ?? -1], [true, -1])
    })

    test('a timeout of one millisecond gives a result too', async () => {
      const { pdf, errors } = await entryPoint.compile(HELLO, { timeout: 1 })
      assert.deepEqual([pdf, errors.length], [null, 1])
    })

    const padded = HELLO.padEnd(LIMITS.maxSourceBytes, '%')
    test('input of exactly the limits is accepted', async () => {
      const files = { 'a.txt': new Uint8Array(200), 'b.txt': new Uint8Array(200) }
      assert.ok(isPdf((await narrowDoor.compile(padded, { files })).pdf))
    })

    const over: readonly (readonly [string, string, Record<string, Uint8Array>, RegExp])[] = [
      ['one byte of source', `${padded}%`, {}, /source exceeds maxSourceBytes: 301 > 300/],
      ['one file', HELLO, { a: bytesOf(''), b: bytesOf(''), c: bytesOf('') }, /files exceeds maxFilesCount: 3 > 2/],
      ['one byte of files', HELLO, { a: new Uint8Array(401) }, /files exceeds maxTotalFilesBytes: 401 > 400/],
    ]
    for (const [excess, source, files, message] of over) {
      test(`${excess} over its limit is refused`, async () => {
        await assert.rejects(narrowDoor.compile(source, { files }), { name: 'Refusal', message })
      })
    }

    for (const fileName of ['../x.tex', '/x.tex', 'main.tex', 'a\\b', '.hidden', 'a\0b', 'texmf.cnf']) {
      test(`the file name ${JSON.stringify(fileName)} is refused`, async () => {
        const compiling = entryPoint.compile(HELLO, { files: { [fileName]: bytesOf('x') } })
        await assert.rejects(compiling, { name: 'Refusal', message: /^file name / })
      })
    }

    const wrongOptions: readonly (readonly [string, object])[] = [
      ['engine', { engine: 'latex' }],
      ['passes', { passes: 4 }],
      ['bibliography', { bibliography: 'endnote' }],
      ['timeout', { timeout: 0 }],
      ['outputs', { outputs: ['log'] }],
    ]
    for (const [field, options] of wrongOptions) {
      test(`a wrong ${field} is refused`, async () => {
        await assert.rejects(entryPoint.compile(HELLO, options), {
          name: 'Refusal',
          message: new RegExp(`^${field} must be`),
        })
      })
    }

    test('rejects with the reason of an aborted signal before anything starts', async () => {
      const signal = AbortSignal.abort(new Error('no longer wanted'))
      await assert.rejects(entryPoint.compile(HELLO, { signal }), { message: 'no longer wanted' })
    })

    for (const delayMs of [0, 20, 100, 400]) {
      test(`an abort after ${delayMs} ms rejects with its reason and leaves nothing behind`, async () => {
        const abort = new AbortController()
        const compiling = entryPoint.compile(ENDLESS, { signal: abort.signal })
        setTimeout(() => abort.abort(new Error('no longer wanted')), delayMs)
        await assert.rejects(compiling, { message: 'no longer wanted' })
        await whenNothingIsLeft()
      })
    }
  })
}

/**
 * A remote compile ends shortly after its caller disconnects, and may even start in between, so there must be no
 * activity for some time.
 */
async function whenNothingIsLeft(): Promise<void> {
  let quietLooks = 0
  await eventually(listLeftovers, {
    until: (leftovers) => {
      quietLooks = leftovers.length === 0 ? quietLooks + 1 : 0
      return quietLooks === 5
    },
  })
}
