import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'

import { makeFolder } from '../support/make-folder.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'
import { startCompile } from '../support/programs/start-compile.ts'

const withoutTerminal = !existsSync('/usr/bin/script') && 'script (util-linux) is not installed'
const withoutGhostscript = !existsSync('/usr/bin/gs') && 'Ghostscript is not installed'
const paper = (body: string): string =>
  `\\documentclass{article}\n\\begin{document}\n\\title{Tides}\n${body}\n\\end{document}\n`

/** Status of the response to a request with another `Host`. */
function askAs(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, headers: { host: `${host}:${port}` } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).once('error', reject)
  })
}

describe('texproof compile --watch', () => {
  const root = makeFolder({ after })
  let number = 0

  function write(body: string, others: Readonly<Record<string, string>> = {}): string {
    number += 1
    const folder = join(root, `paper-${number}`)
    mkdirSync(folder)
    for (const [name, text] of Object.entries({ 'main.tex': paper(body), ...others })) {
      writeFileSync(join(folder, name), text)
    }
    return folder
  }

  it('prints events as one JSON object per line', async () => {
    const { exitCode, stdout, stderr } = await runTexproof(['compile', 'main.tex', '--events', '-q'], {
      cwd: write('A \\totl paper.'),
    })
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const problem = events.find(({ event }) => event === 'problem')
    assert.deepEqual(
      [exitCode, events.map(({ event }) => event), events[1], events[2], problem?.['file'], problem?.['line']],
      [
        3,
        ['start', 'pass', 'page', 'skipped', 'problem', 'done'],
        { event: 'pass', n: 1, engine: 'pdflatex', reason: 'first pass' },
        { event: 'page', n: 1, pass: 1 },
        'main.tex',
        4,
      ],
    )
    const { ms, ...done } = events.at(-1) ?? {}
    const expected = { event: 'done', ok: false, pdf: 'main.pdf', errors: 1, warnings: 0, exitCode: 3 }
    assert.deepEqual([typeof ms, done, stderr.startsWith('✗ main.tex:4')], ['number', expected, true])
  })

  it('ends its events with the error, even when nothing can be compiled', async () => {
    const { exitCode, stdout } = await runTexproof(['compile', 'absent.tex', '--events'], { cwd: write('') })
    const { event, ok, exitCode: told, message } = JSON.parse(stdout) as Record<string, unknown>
    assert.deepEqual([exitCode, event, ok, told, message], [2, 'done', false, 2, 'absent.tex not found'])
  })

  it('compiles again when a file that it read changes, and ends with 130 on a signal', async () => {
    const folder = write('\\input{part}', { 'part.tex': 'One.' })
    const running = startCompile(['main.tex', '--watch'], { cwd: folder })
    await running.said(/✓ 1 page[^]*Watching 2 files/)
    writeFileSync(join(folder, 'part.tex'), 'One.\\newpage Two.')
    await running.said(/✓ 2 pages[^]*Watching 2 files/)
    running.signal('SIGINT')
    assert.equal(await running.exitCode, 130)
  })

  for (const settings of ['latexmkrc', '.latexmkrc']) {
    it(`compiles again when ${settings} appears, changes or disappears`, async () => {
      const folder = write('A paper.')
      const running = startCompile(['main.tex', '--watch'], { cwd: folder })
      await running.said(/✓ 1 page.*\(pdflatex\)[^]*Watching 1 file/)
      for (const [mode, engine] of [
        [5, 'xelatex'],
        [1, 'pdflatex'],
        [5, 'xelatex'],
      ]) {
        writeFileSync(join(folder, settings), `$pdf_mode = ${mode};\n`)
        await running.said(new RegExp(`✓ 1 page.*\\(${engine}[^]*Watching 1 file`))
      }
      rmSync(join(folder, settings))
      await running.said(/✓ 1 page.*\(pdflatex[^]*Watching 1 file/)
      running.signal('SIGINT')
      assert.equal(await running.exitCode, 130)
    })
  }

  it('compiles again when .texproof.toml changes, even to invalid settings and back', async () => {
    const documents = (engine: string): string => `[[document]]\nroot = "main.tex"\nengine = "${engine}"\n`
    const folder = write('A paper.', { '.texproof.toml': documents('pdflatex') })
    const running = startCompile(['main.tex', '--watch'], { cwd: folder })
    await running.said(/✓ 1 page.*\(pdflatex\)[^]*Watching 1 file/)
    writeFileSync(join(folder, '.texproof.toml'), documents('wordstar'))
    await running.said(/texproof: \.texproof\.toml [^]*Watching the folder/)
    writeFileSync(join(folder, '.texproof.toml'), documents('xelatex'))
    await running.said(/✓ 1 page.*\(xelatex[^]*Watching 1 file/)
    running.signal('SIGINT')
    assert.equal(await running.exitCode, 130)
  })

  it('needs one pass after an edit that moves no reference', async () => {
    const folder = write('\\tableofcontents\\section{Tides}\\input{part}', { 'part.tex': 'One.' })
    const running = startCompile(['main.tex', '--watch'], { cwd: folder })
    await running.said(/✓ 1 page.*\(pdflatex ×2\)[^]*Watching 2 files/)
    writeFileSync(join(folder, 'part.tex'), 'Two.')
    await running.said(/✓ 1 page.*\(pdflatex\)/)
    running.signal('SIGINT')
    assert.equal(await running.exitCode, 130)
  })

  it('keeps converted pictures for the next edit', { skip: withoutGhostscript }, async () => {
    // Earlier runs of this test have converted other pictures.
    const eps = `%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%Title: ${randomUUID()}\n1 1 moveto 8 8 lineto stroke\n`
    const folder = write('', { 'line.eps': eps })
    const source = (text: string): string =>
      paper(`\\includegraphics{line} ${text}`).replace('\n', '\n\\usepackage{graphicx}\n')
    writeFileSync(join(folder, 'main.tex'), source('One.'))
    const running = startCompile(['main.tex', '--watch'], { cwd: folder })
    await running.said(/✓ 1 page.*\(pdflatex ×2\)[^]*Watching 2 files/)
    writeFileSync(join(folder, 'main.tex'), source('Two.'))
    await running.said(/✓ 1 page.*\(pdflatex\)/)
    running.signal('SIGINT')
    assert.equal(await running.exitCode, 130)
  })

  it('compiles again when a missing file appears', async () => {
    const folder = write('\\input{part}')
    const running = startCompile(['main.tex', '--watch'], { cwd: folder })
    await running.said(/part\.tex' not found[^]*Watching/)
    writeFileSync(join(folder, 'part.tex'), 'Here.')
    await running.said(/✓ 1 page[^]*Watching/)
    writeFileSync(join(folder, 'part.tex'), 'Here.\\newpage And there.')
    await running.said(/✓ 2 pages[^]*Watching/)
    running.signal('SIGTERM')
    assert.deepEqual([await running.exitCode, running.output().match(/✓ 1 page/g)?.length], [130, 1])
  })

  it('compiles again when a missing file appears in an empty folder, also again', async () => {
    const folder = write('\\input{fig/x}')
    mkdirSync(join(folder, 'fig'))
    const running = startCompile(['main.tex', '--watch'], { cwd: folder })
    for (let round = 0; round < 2; round += 1) {
      await running.said(/fig\/x\.tex' not found[^]*Watching/)
      writeFileSync(join(folder, 'fig', 'x.tex'), 'Here.')
      await running.said(/✓ 1 page[^]*Watching/)
      rmSync(join(folder, 'fig', 'x.tex'))
    }
    running.signal('SIGTERM')
    assert.equal(await running.exitCode, 130)
  })

  it('compiles again when a file changes in a folder that was deleted and created again', async () => {
    const folder = write('\\input{sec/part}')
    const replaceSection = (text: string): void => {
      rmSync(join(folder, 'sec'), { recursive: true, force: true })
      mkdirSync(join(folder, 'sec'))
      writeFileSync(join(folder, 'sec', 'part.tex'), text)
    }
    replaceSection('One.')
    const running = startCompile(['main.tex', '--watch'], { cwd: folder })
    await running.said(/✓ 1 page[^]*Watching/)
    replaceSection('One.\\newpage Two.')
    await running.said(/✓ 2 pages[^]*Watching/)
    writeFileSync(join(folder, 'sec', 'part.tex'), 'One.\\newpage Two.\\newpage Three.')
    await running.said(/✓ 3 pages[^]*Watching/)
    running.signal('SIGTERM')
    assert.equal(await running.exitCode, 130)
  })

  it('compiles again when a folder above its files is moved or replaced', async () => {
    const folder = write('\\input{sec/deep/part}')
    for (const [name, text] of [
      ['sec', 'One.'],
      ['new', 'One.\\newpage Two.'],
    ] as const) {
      mkdirSync(join(folder, name, 'deep'), { recursive: true })
      writeFileSync(join(folder, name, 'deep', 'part.tex'), text)
    }
    const move = (from: string, to: string): void => renameSync(join(folder, from), join(folder, to))
    const running = startCompile(['main.tex', '--watch'], { cwd: folder })
    await running.said(/✓ 1 page[^]*Watching/)
    move('sec', 'old')
    move('new', 'sec')
    await running.said(/✓ 2 pages[^]*Watching/)
    writeFileSync(join(folder, 'sec', 'deep', 'part.tex'), 'One.\\newpage Two.\\newpage Three.')
    await running.said(/✓ 3 pages[^]*Watching/)
    move('sec', 'new')
    await running.said(/sec\/deep\/part\.tex' not found[^]*Watching/)
    move('old', 'sec')
    await running.said(/✓ 1 page[^]*Watching/)
    running.signal('SIGTERM')
    assert.equal(await running.exitCode, 130)
  })

  it('compiles again when the folder of the document is deleted and created again', async () => {
    const folder = write('A paper.')
    const running = startCompile([join(folder, 'main.tex'), '--watch'], { cwd: root })
    await running.said(/✓ 1 page[^]*Watching/)
    rmSync(folder, { recursive: true })
    await running.said(/main\.tex not found[^]*Watching/)
    mkdirSync(folder)
    writeFileSync(join(folder, 'main.tex'), paper('One.\\newpage Two.'))
    await running.said(/✓ 2 pages[^]*Watching/)
    running.signal('SIGTERM')
    assert.equal(await running.exitCode, 130)
  })

  it('compiles again once when a file appears that may take effect', async () => {
    const folder = write('\\IfFileExists{part.tex}{\\input{part}}{Nothing.}')
    const running = startCompile(['main.tex', '--watch'], { cwd: folder })
    await running.said(/✓ 1 page[^]*Watching 1 file/)
    writeFileSync(join(folder, 'other.pdf'), '')
    await running.said(/✓ 1 page[^]*Watching 1 file/)
    rmSync(join(folder, 'other.pdf'))
    writeFileSync(join(folder, 'part.tex'), 'One.\\newpage Two.')
    await running.said(/✓ 2 pages[^]*Watching 2 files/)
    running.signal('SIGTERM')
    assert.deepEqual([await running.exitCode, running.output().match(/Watching/g)?.length], [130, 3])
  })

  it('compiles again when a file that may take effect appears in a new folder', async () => {
    const folder = write('\\IfFileExists{new/part.tex}{\\input{new/part}}{Nothing.}')
    const running = startCompile(['main.tex', '--watch'], { cwd: folder })
    await running.said(/✓ 1 page[^]*Watching 1 file/)
    mkdirSync(join(folder, 'new'))
    await running.said(/✓ 1 page[^]*Watching 1 file/)
    writeFileSync(join(folder, 'new/part.tex'), 'One.\\newpage Two.')
    await running.said(/✓ 2 pages[^]*Watching 2 files/)
    running.signal('SIGTERM')
    assert.equal(await running.exitCode, 130)
  })

  it('compiles again although a file with a name that is not UTF-8 appears', async () => {
    const folder = write('\\input{part}')
    const running = startCompile(['main.tex', '--watch'], { cwd: folder })
    await running.said(/part\.tex' not found[^]*Watching/)
    writeFileSync(Buffer.concat([Buffer.from(join(folder, 'bad')), Buffer.from([0xff])]), '')
    await running.said(/! Not read: bad[^]*part\.tex' not found[^]*Watching/)
    writeFileSync(join(folder, 'part.tex'), 'Here.')
    await running.said(/✓ 1 page[^]*Watching/)
    running.signal('SIGTERM')
    assert.equal(await running.exitCode, 130)
  })

  it('compiles again when a file appears that LaTeX did without', async () => {
    const folder = write('')
    writeFileSync(join(folder, 'main.tex'), paper('\\include{part}A.').replace('\n', '\n\\usepackage{xspace}\n'))
    const running = startCompile(['main.tex', '--watch'], { cwd: folder })
    await running.said(/✓ 1 page[^]*Watching 1 file/)
    writeFileSync(join(folder, 'part.tex'), 'Here.')
    await running.said(/✓ 2 pages[^]*Watching 2 files/)
    // TeX prefers a file of the project to a file of the installation.
    writeFileSync(join(folder, 'xspace.sty'), '\\AtBeginDocument{Own.\\newpage}')
    await running.said(/✓ 3 pages[^]*Watching 3 files/)
    running.signal('SIGINT')
    assert.equal(await running.exitCode, 130)
  })

  it('cancels a compile when its files change', async () => {
    const folder = write('\\loop\\iftrue\\repeat')
    const running = startCompile(['main.tex', '--watch', '--events'], { cwd: folder })
    await running.said(/"event":"pass"/)
    writeFileSync(join(folder, 'main.tex'), paper('Short.'))
    await running.said(/"event":"cancelled"[^]*"event":"done","ok":true/)
    running.signal('SIGINT')
    assert.equal(await running.exitCode, 130)
  })

  it('finishes the first compile although other files change, and compiles again if it read them', async () => {
    const folder = write('\\input{part}', { 'part.tex': 'One.', 'notes.txt': '' })
    const running = startCompile(['main.tex', '--watch', '--events'], { cwd: folder })
    await running.said(/"event":"pass"/)
    writeFileSync(join(folder, 'notes.txt'), 'Unread.')
    writeFileSync(join(folder, 'part.tex'), 'One.\\newpage Two.')
    await running.said(/✓ 1 page[^]*✓ 2 pages[^]*Watching 2 files/)
    running.signal('SIGINT')
    assert.deepEqual([await running.exitCode, running.output().includes('"event":"cancelled"')], [130, false])
  })

  for (const [what, body] of [
    ['a paper', 'A paper.'],
    ['a paper with errors', 'A \\totl paper.'],
  ] as const) {
    it(`compiles ${what} once although its events are written beside it`, { skip: withoutTerminal }, async () => {
      const folder = write(body)
      const words = ['main.tex', '--watch', '--events', '>', 'events.txt']
      const running = startCompile(words, { cwd: folder, onTerminal: true })
      await running.said(/Watching 1 file/)
      writeFileSync(join(folder, 'main.tex'), paper('Another.'))
      await running.said(/✓ 1 page[^]*Watching 1 file/)
      running.signal('SIGINT')
      await running.exitCode
      const events = readFileSync(join(folder, 'events.txt'), 'utf8')
      assert.equal(events.match(/"event":"start"/g)?.length, 2)
    })
  }

  it('reads keys from a terminal', { skip: withoutTerminal }, async () => {
    const folder = write('A paper.')
    const running = startCompile(['main.tex', '--watch'], { cwd: folder, onTerminal: true })
    await running.said(/r rebuild · o open · l log · q quit/)
    running.type('r')
    await running.said(/✓ 1 page/)
    running.type('l')
    await running.said(/== 1 pdflatex[^]*Output written on main\.pdf/)
    running.type('q')
    assert.equal(await running.exitCode, 0)
  })

  it('shows the PDF and its problems on a page that updates itself', { skip: withoutBrowser }, async () => {
    const folder = write('A paper.')
    const running = startCompile(['main.tex', '--serve', '127.0.0.1:0'], { cwd: folder })
    const [, url = ''] = await running.said(/Preview: (\S+)/)
    await running.said(/Watching/)
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      const complaints: string[] = []
      page.on('console', (message) => complaints.push(message.text()))
      await page.goto(url)
      await page.locator('.pdfViewer .page[data-loaded]').first().waitFor()
      await page.getByText('No errors and no warnings.').waitFor()
      writeFileSync(join(folder, 'main.tex'), paper('A \\totl paper.'))
      await page.getByText('Undefined control sequence: \\totl').waitFor()
      await page.locator('[data-viewer][data-file="/paper-2.pdf"]').waitFor()
      writeFileSync(join(folder, 'main.tex'), paper('A paper.').replace('article', 'nosuchclass'))
      await page.getByText('showing the last good PDF').waitFor()
      assert.deepEqual([await page.title(), complaints], ['main.tex · Texproof', []])
    } finally {
      await browser.close()
      running.signal('SIGINT')
    }
    assert.equal(await running.exitCode, 130)
  })

  it('serves the preview to loopback clients only', async () => {
    const running = startCompile(['main.tex', '--serve', '127.0.0.1:0'], { cwd: write('A paper.') })
    const [, url = ''] = await running.said(/Preview: (\S+)/)
    await running.said(/Watching/)
    const port = new URL(url).port
    const { status, headers } = await fetch(`${url}paper-1.pdf`)
    // As for a page of another site whose name resolves to this machine.
    const foreign = await askAs('papers.example.org', Number(port))
    running.signal('SIGINT')
    await running.exitCode
    assert.deepEqual([status, headers.get('content-type'), foreign], [200, 'application/pdf', 421])
  })

  it('reports a preview port in use, and suggests another', async () => {
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const address = holder.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const second = await runTexproof(['compile', 'main.tex', '--serve', `127.0.0.1:${port}`], {
      cwd: write('A paper.'),
    })
    holder.close()
    const isClear =
      second.stderr.includes(`port ${port} is already in use`) && second.stderr.includes('--serve 127.0.0.1:')
    assert.deepEqual([second.exitCode, isClear], [2, true])
  })

  it('does not watch what it writes', async () => {
    const folder = write('A paper.', { 'main.pdf': 'older', 'main.log': 'older' })
    const running = startCompile(['main.tex', '--watch', '--log', 'main.log'], { cwd: folder })
    await running.said(/Watching/)
    const first = readFileSync(join(folder, 'main.pdf'))
    writeFileSync(join(folder, 'main.pdf'), first)
    writeFileSync(join(folder, 'main.log'), 'x')
    writeFileSync(join(folder, 'main.tex'), paper('Another.'))
    await running.said(/✓ 1 page[^]*Watching/)
    running.signal('SIGINT')
    await running.exitCode
    assert.equal(running.output().match(/✓ 1 page/g)?.length, 2)
  })
  it('does not watch what it writes through a link', async () => {
    const folder = write('A \\totl paper.')
    mkdirSync(join(folder, 'build'))
    symlinkSync('build/main.pdf', join(folder, 'main.pdf'))
    const running = startCompile(['main.tex', '--watch'], { cwd: folder })
    await running.said(/Watching/)
    writeFileSync(join(folder, 'main.tex'), paper('Another.'))
    await running.said(/✓ 1 page[^]*Watching/)
    running.signal('SIGINT')
    await running.exitCode
    assert.equal(running.output().match(/Watching/g)?.length, 2)
  })
})
