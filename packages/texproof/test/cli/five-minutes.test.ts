import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import { checkout, cleanEnvironment } from '../support/programs/checkout.ts'
import { makeFolder } from '../support/make-folder.ts'
import { openBrowser, withoutBrowser } from '../support/web/open-browser.ts'
import { readPdfText } from '../support/read-pdf-text.ts'
import { runProgram } from '../support/programs/run-program.ts'
import type { ProgramOutcome } from '../support/programs/run-program.ts'
import { startHost } from '../support/hosts/start-host.ts'
import type { RunningHost } from '../support/hosts/start-host.ts'

// The quick start of the README: its shell blocks are read and run as printed, with only the port, the data directory
// and the folder of the paper changed.

const people = {
  GIT_AUTHOR_NAME: 'Alice',
  GIT_AUTHOR_EMAIL: 'alice@example.org',
  GIT_COMMITTER_NAME: 'Alice',
  GIT_COMMITTER_EMAIL: 'alice@example.org',
}

/** A push waits ten seconds for its builds: on this host ten minutes, which is enough for the slowest machine. */
const waitLonger = 'const { timeout } = AbortSignal; AbortSignal.timeout = (ms) => timeout.call(AbortSignal, 60 * ms)'
const patience = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(waitLonger)}` }

describe('the quick start of the README', () => {
  const folder = makeFolder({ after })
  const paper = join(folder, 'tides')
  const [start, ...rest] = readShellBlocks()
  let host: RunningHost
  let typed: ProgramOutcome

  before(async () => {
    assert.equal(start, 'npm start')
    host = await startHost({ command: ['npm', 'start', '--'], env: patience })
    typed = await type(rest.join('\n'))
  })
  after(() => host.stop())

  function type(script: string): Promise<ProgramOutcome> {
    const here = script
      .replaceAll('http://localhost:3000', host.url)
      .replaceAll('localhost:3000', new URL(host.url).host)
    const env = cleanEnvironment({ ...people, TEXPROOF_DATA_DIR: host.dataDir })
    return runProgram('bash', ['-euo', 'pipefail', '-c', here.replaceAll('/tmp/tides', paper)], { cwd: checkout, env })
  }

  it('ends without an error', () => {
    assert.deepEqual(
      { exitCode: typed.exitCode, stderr: typed.exitCode === 0 ? '' : typed.stderr },
      { exitCode: 0, stderr: '' },
    )
  })

  it('shows in the push output what was found, what was built, and the address', () => {
    const lines = remoteLines(typed.stderr).map((line) => line.replace(/\d+\.\d s/, 'N s'))
    assert.deepEqual(lines, [
      'Found main.tex (\\documentclass{article}) → pdfLaTeX + BibTeX',
      '  named main.tex, default engine, \\bibliography in main.tex:62',
      'Building main … done in N s — 2 pages',
      `  ${host.url}/alice/tides/pdf/main`,
    ])
  })

  it('ends in a PDF with its references, figure and bibliography', async () => {
    const response = await fetch(`${host.url}/alice/tides/pdf/main.pdf`)
    const text = await readPdfText(await response.bytes())
    const promised = [
      'Tides in Narrow Channels',
      'Section 2 states the model',
      'Figure 1: Tidal range',
      '[2] George Green',
      '??',
    ]
    assert.deepEqual(
      [response.status, response.headers.get('content-type'), ...promised.map((words) => text.includes(words))],
      [200, 'application/pdf', true, true, true, true, false],
    )
  })

  it('shows the PDF in a browser', { skip: withoutBrowser }, async () => {
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      const answer = await page.goto(`${host.url}/alice/tides/pdf/main`)
      await page.locator('.viewer[data-state="shown"]').waitFor()
      const shown = await page.locator('.viewer').getAttribute('data-file')
      const pdf = await page.request.get(new URL(shown ?? '', host.url).href)
      assert.deepEqual(
        [answer?.status(), pdf.status(), (await pdf.body()).subarray(0, 5).toString()],
        [200, 200, '%PDF-'],
      )
    } finally {
      await browser.close()
    }
  })

  it('reports a mistake in an included file with file and line, and keeps the last good PDF', async () => {
    const before = await fetch(`${host.url}/alice/tides/pdf/main.pdf`).then((response) => response.bytes())
    const model = join(paper, 'sections/model.tex')
    const lines = readFileSync(model, 'utf8').split('\n')
    const line =
      lines.indexOf(
        "which is Green's law~\\cite{green1838}; see also \\cite[\\S185]{lamb1932}. At constant depth, its second factor equals one.",
      ) + 1
    writeFileSync(model, lines.with(line - 1, 'which is \\undefinedword.').join('\n'))
    const { stderr, exitCode } = await type(
      `cd ${paper} && git commit -qam mistake && git push "http://alice:$(npx texproof token create --user alice --data ${host.dataDir})@localhost:3000/alice/tides.git" main`.replace(
        'npx texproof',
        `${checkout}node_modules/.bin/texproof`,
      ),
    )
    const told = remoteLines(stderr)
    const after = await fetch(`${host.url}/alice/tides/pdf/main.pdf`).then((response) => response.bytes())
    const page = await fetch(`${host.url}/alice/tides/pdf/main`).then((response) => response.text())
    assert.deepEqual(
      {
        exitCode,
        names: told.some((text) => text.includes(`sections/model.tex:${line}`)),
        kept: told.some((text) => text.includes('last good PDF')),
        isSamePdf: Buffer.compare(before, after) === 0,
        saysOlder: page.includes('last good'),
      },
      { exitCode: 0, names: true, kept: true, isSamePdf: true, saysOlder: true },
      stderr,
    )
  })

  it('stops the host on request', async () => {
    await host.stop()
    await assert.rejects(fetch(`${host.url}/health`))
  })
})

function readShellBlocks(): string[] {
  const readme = readFileSync(`${checkout}README.md`, 'utf8')
  const section = readme.split('## Quick start')[1]?.split('\n## ')[0] ?? ''
  return [...section.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].map((match) => match[1] ?? '')
}

function remoteLines(stderr: string): string[] {
  return [...stderr.matchAll(/^remote: (.*?) *$/gm)].map((match) => match[1] ?? '').filter((line) => line !== '')
}
