import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'

import { cleanEnvironment } from '../support/programs/checkout.ts'
import { makeFolder } from '../support/make-folder.ts'
import { readPdfText } from '../support/read-pdf-text.ts'
import { runProgram } from '../support/programs/run-program.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'
import { startHost } from '../support/hosts/start-host.ts'
import type { RunningHost } from '../support/hosts/start-host.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

// Documents by other authors through HTTP, push and command line. Only the shortest goes through all three, because
// documents with biblatex take many seconds of processor time.

/** Biber takes 9 s alone, and minutes on two processors that many tests share. */
const LOADED_MS = 300_000
const examples = '/usr/share/doc/texlive-doc/latex/biblatex/examples'

interface RealDocument {
  readonly name: string
  readonly source: string | null
  readonly bibliography: 'biber' | 'none'
  /** Words that its PDF must contain. */
  readonly words: string
  readonly through: readonly ('service' | 'command' | 'push')[]
}

const EVERY_WAY = ['service', 'command', 'push'] as const

const documents: readonly RealDocument[] = [
  {
    name: 'sample2e',
    source: readTexFile('sample2e.tex'),
    bibliography: 'none',
    words: 'An Example Document',
    through: ['command'],
  },
  {
    name: 'small2e',
    source: readTexFile('small2e.tex'),
    bibliography: 'none',
    words: 'Simple Text',
    through: EVERY_WAY,
  },
  {
    name: 'annotations',
    source: readExample('02-annotations.tex'),
    bibliography: 'biber',
    words: 'References',
    through: ['service'],
  },
  {
    name: 'authoryear',
    source: readExample('50-style-authoryear.tex'),
    bibliography: 'biber',
    words: 'The authoryear style',
    through: ['push'],
  },
]

describe('documents from the TeX distribution', () => {
  const folder = makeFolder({ after })
  let host: RunningHost
  let token: string
  before(async () => {
    host = await startHost({ env: { TEXPROOF_BUILD_TIMEOUT: `${LOADED_MS / 1_000}s` } })
    token = await host.makeToken('alice')
  })
  after(() => host.stop())

  for (const { name, source, bibliography, words, through } of documents) {
    const skip = source === null && 'this TeX system ships without it'
    const ways = new Set<string>(through)

    if (ways.has('service'))
      it(`${name} compiles through POST /compile`, { skip }, async () => {
        const response = await fetch(`${host.url}/compile`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ source, bibliography, timeout: 120_000 }),
        })
        const { pdf, errors } = (await response.json()) as { pdf: string | null; errors: unknown[] }
        const text = await readPdfText(Buffer.from(pdf ?? '', 'base64'))
        assert.deepEqual([response.status, errors, text.includes(words)], [200, [], true])
      })

    if (ways.has('command'))
      it(`${name} compiles through texproof compile`, { skip }, async () => {
        const paper = join(folder, 'command', name)
        mkdirSync(paper, { recursive: true })
        writeFileSync(join(paper, `${name}.tex`), source ?? '')
        const { exitCode, stderr } = await runTexproof(['compile', '--quiet', '-t', '2m', join(paper, `${name}.tex`)])
        const text = await readPdfText(readFileSync(join(paper, `${name}.pdf`)))
        assert.deepEqual([exitCode, stderr, text.includes(words)], [0, '', true])
      })

    if (ways.has('push'))
      it(`${name} compiles as a pushed repository`, { skip }, async () => {
        const paper = join(folder, 'pushed', name)
        mkdirSync(paper, { recursive: true })
        writeFileSync(join(paper, `${name}.tex`), source ?? '')
        const response = await fetch(`${host.url}/api/v3/user/repos`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}` },
          body: JSON.stringify({ name }),
        })
        const push = await runProgram(
          'bash',
          ['-euc', pushScript(`http://alice:${token}@127.0.0.1:${host.port}/alice/${name}.git`)],
          {
            cwd: paper,
            env: cleanEnvironment(),
          },
        )
        const pdf = await awaitPdf(`${host.url}/alice/${name}/pdf/main.pdf`)
        assert.deepEqual(
          [response.status, push.exitCode, (await readPdfText(pdf)).includes(words)],
          [201, 0, true],
          push.stderr,
        )
      })
  }
})

function pushScript(url: string): string {
  return `git init -q -b main .; git add .; git -c user.name=Alice -c user.email=alice@example.org commit -qm paper; git push ${url} main`
}

/** A push answers within ten seconds; the build may take longer. */
async function awaitPdf(address: string): Promise<Uint8Array> {
  const readPdf = async (): Promise<Uint8Array | null> => {
    const response = await fetch(address)
    const bytes = await response.bytes()
    return response.ok ? bytes : null
  }
  return eventually(readPdf, { within: LOADED_MS })
}

function readTexFile(name: string): string | null {
  const path = spawnSync('kpsewhich', [name], { encoding: 'utf8' }).stdout.trim()
  return path === '' ? null : readFileSync(path, 'utf8')
}

/** Debian compresses the longer ones, and its smallest images contain no documentation. */
function readExample(name: string): string | null {
  const path = join(examples, name)
  if (existsSync(path)) return readFileSync(path, 'utf8')
  return existsSync(`${path}.gz`) ? gunzipSync(readFileSync(`${path}.gz`)).toString('utf8') : null
}
