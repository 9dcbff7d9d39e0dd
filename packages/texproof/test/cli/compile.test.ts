import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import { getRequestListener } from '@hono/node-server'
import { createApp } from '@texproof/platex/server'

import { cleanEnvironment, texproofCommand } from '../support/programs/checkout.ts'
import { makeFolder } from '../support/make-folder.ts'
import { runProgram } from '../support/programs/run-program.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'

/** Why engines cannot be hidden from the command: bind mounts over programs require root. */
const withoutHiding =
  (process.getuid?.() !== 0 || !existsSync('/usr/bin/bwrap') || !existsSync('/usr/bin/pdftex')) &&
  'only root with bubblewrap can hide the engines of a machine'
const withoutOtherUsers = process.getuid?.() !== 0 && 'only root can run the command as another user'
const good = '\\documentclass{article}\n\\begin{document}\nA good paper.\n\\end{document}\n'
const flawed = '\\documentclass{article}\n\\begin{document}\nA \\totl paper.\n\\end{document}\n'
const hopeless = '\\documentclass{nosuchclass}\n\\begin{document}\nNothing.\n\\end{document}\n'
const endless = '\\documentclass{article}\n\\begin{document}\n\\loop\\iftrue\\repeat\n\\end{document}\n'

describe('texproof compile', () => {
  const folder = makeFolder({ after })
  let number = 0

  /** Root can read every file. */
  function asOrdinaryUser(): { uid: number; env: Record<string, string> } {
    const home = makeFolder({ after }, 0o777)
    return { uid: 54_321, env: { HOME: home, TMPDIR: home } }
  }

  function write(source: string, name = 'main.tex'): string {
    number += 1
    const paper = join(folder, `paper-${number}`)
    mkdirSync(paper)
    writeFileSync(join(paper, name), source)
    return join(paper, name)
  }

  it('writes the PDF next to the source and exits with 0', async () => {
    const path = write(good, 'tides.tex')
    const { exitCode, stdout, stderr } = await runTexproof(['compile', 'tides.tex'], { cwd: join(path, '..') })
    const lines = stderr.replaceAll(/\d+\.\d s/g, 'N s').replaceAll(/\d+(?:\.\d)? kB/g, 'N kB')
    const pdf = readFileSync(path.replace('.tex', '.pdf')).subarray(0, 5).toString()
    assert.deepEqual(
      [exitCode, stdout, lines, pdf],
      [0, '', 'tides.tex  1 pdflatex  N s\ntides.tex  ✓ 1 page  N kB  N s  (pdflatex)  → tides.pdf\n', '%PDF-'],
    )
  })

  it('refuses a PDF that is named instead of its source', async () => {
    const path = write('%PDF-1.5\n', 'tides.pdf')
    const { exitCode, stderr } = await runTexproof(['compile', 'tides.pdf'], { cwd: join(path, '..') })
    assert.deepEqual(
      [exitCode, stderr],
      [
        2,
        'texproof: tides.pdf is a PDF, not a LaTeX source\n          Pass the .tex file of the document, or its directory.\n',
      ],
    )
  })

  it('compiles a document that reads files of its git repository above its folder', async () => {
    const path = write(good)
    const paper = join(path, '..')
    for (const name of ['.git', 'shared', 'thesis']) mkdirSync(join(paper, name))
    writeFileSync(join(paper, 'shared', 'macros.tex'), '\\newcommand\\pier{Pier}\n')
    writeFileSync(
      join(paper, 'thesis', 'thesis.tex'),
      '\\documentclass{article}\n\\input{../shared/macros}\n\\begin{document}\\pier\\end{document}\n',
    )
    const named = await runTexproof(['compile', '--quiet', 'thesis/thesis.tex'], { cwd: paper })
    const found = await runTexproof(['compile', '--quiet', '.'], { cwd: join(paper, 'thesis') })
    const { exitCode, stderr } = named
    assert.deepEqual([exitCode, stderr, found.exitCode, found.stderr], [0, '', 0, ''])
    assert.equal(existsSync(join(paper, 'thesis', 'thesis.pdf')), true)
  })

  it('names the folder to compile if a missing file is above the folder of the document', async () => {
    const paper = join(write(good, 'other.tex'), '..')
    for (const name of ['figs', 'tex']) mkdirSync(join(paper, name))
    writeFileSync(join(paper, 'figs', 'x.tex'), 'A picture.\n')
    writeFileSync(join(paper, 'tex', 'main.tex'), good.replace('A good', '\\input{../figs/x} A good'))
    const { exitCode, stderr } = await runTexproof(['compile', '--quiet', 'tex/main.tex'], { cwd: paper })
    assert.deepEqual(
      [exitCode, stderr.trimEnd().split('\n').at(-1)],
      [1, 'Files above tex were not read. To include them: texproof compile .'],
    )
  })

  it('explains why each pass ran, what changed and what was skipped', async () => {
    const path = write(
      '\\documentclass{article}\n\\begin{document}\n\\cite{alice}\\bibliographystyle{plain}\\bibliography{refs}\n\\end{document}\n',
    )
    writeFileSync(join(path, '..', 'refs.bib'), '@book{alice, author={Alice}, title={Tides}, publisher={P}, year=2000}')
    const { stderr } = await runTexproof(['compile', '--explain', path])
    const lines = stderr.replaceAll(/\d+\.\d s/g, 'N s').split('\n')
    assert.deepEqual(lines.slice(1, 8), [
      'main.tex  1 pdflatex  N s  (first pass)',
      'main.tex  2 bibtex  N s  (main.aux is new)',
      'main.tex  3 pdflatex  N s  (main.aux and main.bbl changed)',
      'main.tex  – bibtex  skipped  (main.aux has no relevant changes)',
      'main.tex  4 pdflatex  N s  (main.aux changed)',
      'main.tex  – bibtex  skipped  (main.aux has no relevant changes)',
      'main.tex  – pdflatex  skipped  (no file that the last pass read has changed)',
    ])
  })

  it('finds the document of a folder', async () => {
    const path = write(good)
    const { exitCode } = await runTexproof(['compile', '--quiet', join(path, '..')])
    assert.deepEqual([exitCode, existsSync(path.replace('.tex', '.pdf'))], [0, true])
  })

  it('compiles standard input to standard output', async () => {
    const command = `${texproofCommand} compile - --quiet < ${write(good)} | head -c 5`
    const { stdout } = await runProgram('bash', ['-c', command], { env: cleanEnvironment() })
    assert.equal(stdout, '%PDF-')
  })

  it('prints an error with its source line and a caret, and exits with 3 when there is a PDF', async () => {
    const { exitCode, stderr } = await runTexproof(['compile', '--quiet', write(flawed)])
    assert.deepEqual(
      [exitCode, stderr],
      [
        3,
        [
          '✗ main.tex:3:3  Undefined control sequence: \\totl',
          '     3 │ A \\totl paper.',
          '       │   ^^^^^',
          '    \\totl is not defined.',
          '    → Define it with \\newcommand, or load the package that provides it.\n',
        ].join('\n'),
      ],
    )
  })

  it('exits with 0 for allowed errors', async () => {
    const { exitCode } = await runTexproof(['compile', '--quiet', '--allow-errors', write(flawed)])
    assert.equal(exitCode, 0)
  })

  it('exits with 1 and keeps the older PDF when there is no new one', async () => {
    const path = write(hopeless)
    writeFileSync(path.replace('.tex', '.pdf'), 'older')
    const { exitCode } = await runTexproof(['compile', '--quiet', path])
    assert.deepEqual([exitCode, readFileSync(path.replace('.tex', '.pdf'), 'utf8')], [1, 'older'])
  })

  it('skips files that cannot be read, and names them', { skip: withoutOtherUsers }, async () => {
    const paper = makeFolder({ after }, 0o777)
    mkdirSync(join(paper, 'private'))
    for (const name of ['private.txt', 'main.tex']) writeFileSync(join(paper, name), good)
    for (const name of ['private', 'private.txt']) chmodSync(join(paper, name), 0)
    writeFileSync(Buffer.concat([Buffer.from(join(paper, 'bad')), Buffer.from([0xff]), Buffer.from('.tex')]), '')
    const args = ['compile', 'main.tex', '--unsafe-no-sandbox']
    const { exitCode, stderr } = await runTexproof(args, { cwd: paper, ...asOrdinaryUser() })
    assert.deepEqual(
      [exitCode, stderr.split('\n')[0]],
      [
        0,
        '! Not read: bad\u{FFFD}.tex (name is not UTF-8), private (permission denied), private.txt (permission denied)',
      ],
    )
  })

  it('exits with 2 for a document or folder that cannot be read', { skip: withoutOtherUsers }, async () => {
    const paper = makeFolder({ after }, 0o777)
    mkdirSync(join(paper, 'private'))
    writeFileSync(join(paper, 'main.tex'), good)
    for (const name of ['private', 'main.tex']) chmodSync(join(paper, name), 0)
    const outcomes = await Promise.all(
      ['main.tex', 'private'].map((name) => runTexproof(['compile', name], { cwd: paper, ...asOrdinaryUser() })),
    )
    assert.deepEqual(
      outcomes.map(({ exitCode, stderr }) => [exitCode, stderr]),
      [
        [2, 'texproof: main.tex is not readable\n'],
        [2, `texproof: ${join(paper, 'private')} is not readable\n`],
      ],
    )
  })

  for (const flag of ['-o', '--log']) {
    it(`refuses to overwrite the document or a file that it reads with ${flag}`, async () => {
      const path = write(good.replace('A good', '\\input{part} A good'))
      const paper = join(path, '..')
      writeFileSync(join(paper, 'part.tex'), 'One.')
      symlinkSync('main.tex', join(paper, 'link.tex'))
      const named = ['main.tex', './part.tex', 'link.tex']
      const outcomes = await Promise.all(
        named.map((name) => runTexproof(['compile', '--quiet', 'main.tex', flag, name], { cwd: paper })),
      )
      assert.deepEqual(
        outcomes.map(({ exitCode, stderr }) => [exitCode, stderr]),
        named.map((name) => [
          2,
          `texproof: ${flag} ${name} would overwrite a file of the document\n          Choose another name.\n`,
        ]),
      )
      assert.equal(readFileSync(join(paper, 'part.tex'), 'utf8'), 'One.')
    })
  }

  it('exits with 4 at the time limit', async () => {
    const { exitCode } = await runTexproof(['compile', '--quiet', '-t', '2s', write(endless)])
    assert.equal(exitCode, 4)
  })

  it('exits with 8 above the allowed warnings', async () => {
    const path = write(good.replace('A good', 'See \\ref{nowhere}. A good'))
    const { exitCode } = await runTexproof(['compile', '--quiet', '--max-warnings', '0', path])
    assert.equal(exitCode, 8)
  })

  it('prints the result as JSON with the PDF', async () => {
    const path = write(good)
    const { exitCode, stdout } = await runTexproof(['compile', '--quiet', '--json', path])
    const result = JSON.parse(stdout) as {
      pdf: string
      errors: unknown[]
      warnings: unknown[]
      logs: { engine: string }[]
    }
    const pdf = Buffer.from(result.pdf, 'base64').subarray(0, 5).toString()
    assert.deepEqual(
      [
        exitCode,
        pdf,
        result.errors,
        result.warnings,
        result.logs.map(({ engine }) => engine),
        existsSync(path.replace('.tex', '.pdf')),
      ],
      [0, '%PDF-', [], [], ['pdflatex'], false],
    )
  })

  it('omits the PDF from the JSON when it is written to a file', async () => {
    const path = write(good)
    const output = join(path, '..', 'out.pdf')
    const { stdout } = await runTexproof(['compile', '--quiet', '--json', '-o', output, path])
    assert.deepEqual([Object.hasOwn(JSON.parse(stdout) as object, 'pdf'), statSync(output).size > 1000], [false, true])
  })

  for (const flags of ['-o -', '--json', '--events']) {
    it(`exits with 2 if standard output is full with ${flags}`, async () => {
      const command = `${texproofCommand} compile --quiet ${flags} ${write(good)} > /dev/full`
      const { exitCode, stderr } = await runProgram('bash', ['-c', command], { env: cleanEnvironment() })
      assert.deepEqual([exitCode, stderr], [2, 'texproof: cannot write standard output: no space left on device\n'])
    })
  }

  it('writes the PDF to a process substitution', async () => {
    const command = `${texproofCommand} compile --quiet -o >(head -c 5) ${write(good)} | cat`
    const { stdout } = await runProgram('bash', ['-c', command], { env: cleanEnvironment() })
    assert.equal(stdout, '%PDF-')
  })

  it('writes the logs of all passes with --log', async () => {
    const { stdout } = await runTexproof(['compile', '--quiet', '--log', '-', write(good)])
    assert.equal(stdout.startsWith('== 1 pdflatex\nThis is pdfTeX'), true)
  })

  it('exits with 5 when the service is unreachable', async () => {
    const { exitCode, stderr } = await runTexproof([
      'compile',
      '--quiet',
      '--remote',
      'http://127.0.0.1:9',
      write(good),
    ])
    assert.deepEqual([exitCode, stderr.startsWith('texproof: ')], [5, true])
  })

  describe('at a service', () => {
    let server: Server
    let url: string
    before(async () => {
      server = createServer(getRequestListener(createApp({ log: () => {} }).fetch))
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const address = server.address()
      url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
    })
    after(() => server.close())

    it('compiles a folder with unrelated files in it', async () => {
      const path = write(good)
      for (const name of ['.gitignore', 'main.pdf', 'main.log', 'latexmkrc']) writeFileSync(join(path, '..', name), '')
      const { exitCode, stdout } = await runTexproof(['compile', '--events', '--quiet', '--remote', url, path])
      const events = stdout
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { event: string }).event)
      assert.deepEqual([exitCode, events], [0, ['start', 'pass', 'done']])
    })

    it('names the files of a document, and those above its folder, as a local compile does', async () => {
      const paper = join(write(good), '..')
      for (const name of ['.git', 'shared', 'thesis']) mkdirSync(join(paper, name))
      writeFileSync(join(paper, 'shared', 'macros.tex'), '\\newcommand\\pier{Pier}\n')
      const source = flawed.replace('\\begin', '\\input{../shared/macros}\n\\begin').replace('paper', '\\pier')
      writeFileSync(join(paper, 'thesis', 'tides.tex'), source)
      const args = ['compile', '--quiet', 'thesis/tides.tex']
      const [local, remote] = [
        await runTexproof(args, { cwd: paper }),
        await runTexproof([...args, '--remote', url], { cwd: paper }),
      ]
      assert.deepEqual([remote.exitCode, remote.stderr], [local.exitCode, local.stderr])
      assert.match(local.stderr, /^✗ thesis\/tides\.tex:4:3 {2}Undefined control sequence: \\totl\n {5}4 │/)
    })

    it('compiles a document with the bibliography of its own name', async () => {
      const path = write(good.replace('paper', '\\cite{tide} \\bibliography{absent}'), 'tides.tex')
      const bibliography = '\\begin{thebibliography}{1}\\bibitem{tide} Tides.\\end{thebibliography}\n'
      writeFileSync(path.replace('.tex', '.bbl'), bibliography)
      const { exitCode, stderr } = await runTexproof([
        'compile',
        '--quiet',
        '--max-warnings',
        '0',
        '--remote',
        url,
        path,
      ])
      assert.deepEqual([exitCode, stderr], [0, ''])
    })

    it('sends a source that is not UTF-8 as it is', async () => {
      const path = write('')
      const check =
        '\\def\\rest#1#2!{#2}\\edef\\x{\\expandafter\\rest\\detokenize{\u00e9}!}\\ifx\\x\\empty\\else\\wrong\\fi'
      writeFileSync(path, good.replace('A good', check), 'latin1')
      const { exitCode, stderr } = await runTexproof(['compile', '--quiet', '--remote', url, path])
      assert.deepEqual([exitCode, stderr], [0, ''])
    })

    it('sends a source with another ending under a name that the service accepts', async () => {
      const path = write(
        '\\documentclass{article}\\begin{document}\\input{\\jobname-part}\\end{document}\n',
        'tides.ltx',
      )
      writeFileSync(path.replace('.ltx', '-part.tex'), 'Ebb.\n')
      const { exitCode, stderr } = await runTexproof(['compile', '--quiet', '--remote', url, path])
      assert.deepEqual([exitCode, stderr], [0, ''])
    })

    it('leaves out the files of other folders that the document does not name', async () => {
      const folder = join(write(good), '..')
      for (const name of ['.git', 'data', 'thesis']) mkdirSync(join(folder, name))
      for (let index = 0; index < 51; index += 1) writeFileSync(join(folder, 'data', `${index}?.dat`), '')
      writeFileSync(join(folder, 'thesis', 'tides.tex'), good)
      const args = ['compile', '--quiet', '--remote', url, 'thesis/tides.tex']
      const { exitCode, stderr } = await runTexproof(args, { cwd: folder })
      assert.deepEqual([exitCode, stderr], [0, ''])
    })

    for (const settings of ['.latexmkrc', 'thesis/.latexmkrc']) {
      it(`finds packages through the search paths in ${settings}, as a local compile does`, async () => {
        const source = good.replace('\\begin', '\\usepackage{pier}\n\\begin').replace('A good', '\\pier')
        const folder = join(write('', 'notes.txt'), '..')
        for (const name of ['thesis', 'thesis/sty', '.cache']) mkdirSync(join(folder, name))
        writeFileSync(join(folder, 'thesis', 'tides.tex'), source)
        writeFileSync(join(folder, 'thesis', 'sty', 'pier.sty'), '\\newcommand\\pier{Pier}\n')
        writeFileSync(join(folder, settings), `ensure_path('TEXINPUTS', './sty//', './thesis/sty//');\n`)
        for (const name of ['.gitignore', '.cache/latexmkrc', 'latexmkrc']) writeFileSync(join(folder, name), '')
        const args = ['compile', '--quiet', '--max-warnings', '0', '.']
        const [local, remote] = [
          await runTexproof(args, { cwd: folder }),
          await runTexproof([...args, '--remote', url], { cwd: folder }),
        ]
        assert.deepEqual(
          [local, remote].map(({ exitCode, stderr }) => [exitCode, stderr]),
          [
            [0, ''],
            [0, ''],
          ],
        )
      })
    }

    it('exits with 6 for more files than the service accepts, and says how to send fewer', async () => {
      const path = write(good)
      for (let index = 0; index < 51; index += 1) writeFileSync(join(path, '..', `${index}.dat`), '')
      const { exitCode, stderr } = await runTexproof(['compile', '--quiet', '--remote', url, path])
      assert.deepEqual([exitCode, /51 > 50[^]*-f refs\.bib/.test(stderr)], [6, true])
    })
  })

  it('exits with 2 on invalid usage, with a message', async () => {
    const path = write(good)
    const empty = makeFolder({ after })
    const wrong = [
      [join(folder, 'absent.tex')],
      [empty],
      [path, '-t', '60'],
      [path, '-t', '25h'],
      [path, '-e', 'troff'],
      [path, '--max-warnings', 'few'],
      [path, '--json', '-o', '-'],
      ['-', '--watch'],
    ]
    const outcomes = await Promise.all(wrong.map((args) => runTexproof(['compile', ...args])))
    assert.deepEqual(
      outcomes.map(({ exitCode, stdout, stderr }) => [exitCode, stdout, stderr.length > 20]),
      wrong.map(() => [2, '', true]),
    )
  })

  it('asks which document to compile when a folder has several', async () => {
    const path = write(good, 'talk.tex')
    writeFileSync(join(path, '..', 'thesis.tex'), good)
    const { exitCode, stderr } = await runTexproof(['compile', join(path, '..')])
    assert.deepEqual([exitCode, /talk\.tex.*thesis\.tex|thesis\.tex.*talk\.tex/.test(stderr)], [2, true])
  })

  it('exits with 6 for a folder with too many files', async () => {
    const path = write(good)
    for (let index = 0; index < 5_000; index += 1) writeFileSync(join(path, '..', `${index}.dat`), '')
    const { exitCode, stderr } = await runTexproof(['compile', '--quiet', path])
    assert.deepEqual([exitCode, stderr.includes('more than 5000 files')], [6, true])
  })

  it('exits with 7 when no engine is installed, and says how to install one', { skip: withoutHiding }, async () => {
    const engines = ['/usr/bin/pdftex', '/usr/bin/tectonic', '/usr/local/bin/tectonic'].filter((path) =>
      existsSync(path),
    )
    const hidden = engines.flatMap((path) => ['--ro-bind', '/dev/null', path])
    const command = ['--dev-bind', '/', '/', ...hidden, texproofCommand, 'compile', '--quiet', write(good)]
    const { exitCode, stderr } = await runProgram('bwrap', command, { env: cleanEnvironment() })
    assert.deepEqual([exitCode, /COMPILE_SERVICE_URL.*apt install.*Tectonic/.test(stderr)], [7, true])
  })
})
