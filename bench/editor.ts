/**
 * The editor: milliseconds from a keystroke to changed pixels in Chromium, with real engines, against one plain pass of
 * the engine in the same run. Edits are in a line of prose in the first, middle and last quarter of each document.
 *
 * `npm run bench -- editor hello paper` selects documents; the default is everything.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Browser, Page } from 'playwright-core'

import { startSpawner } from '../packages/platex/src/api/spawner.ts'
import { readCorpus } from '../packages/platex/test/support/read-corpus.ts'
import type { CorpusDocument } from '../packages/platex/test/support/read-corpus.ts'
import { addTestUser } from '../packages/texproof/test/support/hosts/add-test-user.ts'
import { openPaperHost } from '../packages/texproof/test/support/hosts/paper-host.ts'
import type { PaperHost } from '../packages/texproof/test/support/hosts/paper-host.ts'
import { testConfig } from '../packages/texproof/test/support/hosts/test-config.ts'
import { openBrowser } from '../packages/texproof/test/support/web/open-browser.ts'
import { percentile } from './crowd/percentile.ts'
import { measureTyping } from './editor/measure-typing.ts'
import { makeBook } from './speed/make-book.ts'
import { makeCheckout, medianOf, timeLatexmk, timePlainPass } from './speed/programs.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 4)
const POSITIONS = [0.125, 0.5, 0.875]
const PASSWORD = 'nine trees by the river'
/** Time limit of the first build of a document, which can take minutes on a busy machine. */
const BUILD_TIMEOUT_MS = 600_000
/** Openings of a chapter: one without a draft, one with a draft. */
const CHAPTER_OPENINGS = 2
/** Time after which an edit counts as missed, so that one document cannot stop the others. */
const EDIT_TIMEOUT_MS = 60_000
/** Maximum difference of gray levels (of 255) that counts as unchanged: a letter changes more. */
const SAME_SHADE = 16
/** Number of checks of the page, one every 50 ms. */
const QUIET_CHECKS = 10
const PAGE_GOALS = { pdflatex: 0.3, xelatex: 0.5, lualatex: 0.5 } as const
const BOOKS = [
  makeBook('book', { engine: 'pdflatex', pages: 200 }),
  makeBook('leaflet', { engine: 'pdflatex', pages: 10 }),
]

/** Milliseconds from the keystroke. */
interface Edit {
  readonly pixelsMs: number
  readonly documentMs: number
}

interface Row {
  readonly document: string
  readonly engine: CorpusDocument['engine']
  readonly plainMs: number
  readonly edits: readonly Edit[]
  /** Edits whose page did not change in time, or differed from the page of the whole document. */
  readonly missed: number
}

interface Bench {
  readonly host: PaperHost
  readonly browser: Browser
  readonly page: Page
  readonly token: string
  readonly workDir: string
}

/** Measures, prints, and stores the results in bench/results. */
export async function run(names: readonly string[]): Promise<void> {
  const corpus = [...(await readCorpus(new URL('documents/', import.meta.url))), ...BOOKS]
  const documents = corpus.filter(({ name }) => names.length === 0 || names.includes(name))
  const workDir = await mkdtemp(join(tmpdir(), 'texproof-editor-'))
  // As in the server, another process starts the programs.
  const spawner = startSpawner((error) => console.error(error))
  const host = await openPaperHost({
    build: { ...testConfig.build, waitingEngines: 4, timeoutMs: BUILD_TIMEOUT_MS },
  })
  const browser = await openBrowser({ isOwn: true })
  try {
    const bench = { ...(await signIn(host, browser)), host, browser, workDir }
    const rows: Row[] = []
    for (const document of documents) {
      const row = await measureDocument(bench, document)
      rows.push(row)
      console.log(`${row.document.padEnd(12)} ${describe(row)}`)
    }
    const typing = await measureChapter(bench)
    const goals = listGoals(rows, typing)
    for (const { name, measured, wanted } of goals)
      console.log(
        `goal ${name} measured ${measured.toFixed(2)} wanted ${wanted} ${measured <= wanted ? 'met' : 'short'}`,
      )
    const machine = { processor: cpus()[0]?.model ?? '', cores: availableParallelism(), load: loadavg()[0] ?? 0 }
    await mkdir(new URL('results/', import.meta.url), { recursive: true })
    const file = new URL('results/editor.json', import.meta.url)
    if (names.length === 0) await writeFile(file, `${JSON.stringify({ ...machine, typing, rows, goals }, null, 2)}\n`)
  } finally {
    await browser.close()
    await host.close()
    await spawner.close()
    await rm(workDir, { recursive: true })
  }
}

async function signIn(host: PaperHost, browser: Browser): Promise<Pick<Bench, 'page' | 'token'>> {
  const added = await addTestUser(host.deps.store, { login: 'alice', password: PASSWORD })
  if (added.kind !== 'added') throw new Error(added.reason)
  const token = await host.addToken(added.user, ['repo:write'])
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, baseURL: host.origin })
  const page = await context.newPage()
  await page.goto('/login')
  await page.fill('[name=name]', 'alice')
  await page.fill('[name=password]', PASSWORD)
  await page.click('main button')
  await page.waitForURL(`${host.origin}/`)
  return { page, token }
}

async function push({ host, token }: Bench, name: string, files: CorpusDocument['files']): Promise<void> {
  const user = await host.deps.store.users.findByLogin('alice')
  if (user === null) throw new Error('no user')
  const repository = await host.addRepository(user, name)
  const texts = Object.fromEntries([...files].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]))
  const work = await host.makeCheckout(host.gitUrl(`alice/${name}.git`, token), texts)
  await work.git('push', 'origin', 'main')
  await host.whenBuilt(repository.id)
}

async function measureDocument(bench: Bench, document: CorpusDocument): Promise<Row> {
  const { name, engine, files } = document
  const folder = await makeCheckout(bench.workDir, files)
  await timeLatexmk(document, folder)
  const plain: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) plain.push(await timePlainPass(document, folder))
  await push(bench, name, files)
  const edits: (Edit | null)[] = []
  for (const position of POSITIONS) edits.push(...(await measureEdits(bench, document, position)))
  const shown = edits.filter((edit) => edit !== null)
  return { document: name, engine, plainMs: medianOf(plain), edits: shown, missed: edits.length - shown.length }
}

/** The first edits of a place prepare the engines. Null for an edit that was not shown in time, or not as in the document. */
async function measureEdits(
  { page }: Bench,
  { name, files }: CorpusDocument,
  position: number,
): Promise<readonly (Edit | null)[]> {
  const { path, line } = findLine(files, position)
  await page.goto(`/alice/${name}/edit/main/${path}?line=${line}`)
  await page.locator('.viewer[data-state=shown]').waitFor()
  await page.locator('.cm-focused').waitFor()
  await page.keyboard.press('End')
  await page.keyboard.press('Control+Alt+J')
  await page.waitForTimeout(1_000)
  await page.evaluate(WATCH)
  const edits: (Edit | null)[] = []
  for (let round = -2; round < ROUNDS; round += 1) {
    await page.evaluate('window.whenDrawn()')
    await page.evaluate('window.startEdit()')
    await page.keyboard.press('x')
    const edit = await page.evaluate<Edit | null>('window.whenShown')
    // Engines read ahead for the next edit.
    await page.waitForTimeout(1_500)
    await page.evaluate('window.whenDrawn()')
    const isRight = edit !== null && (await page.evaluate<boolean>('window.isStillShown()'))
    if (!isRight) console.log(`${name} line ${line} of ${path}: ${edit === null ? 'no' : 'another'} page was shown`)
    if (round >= 0) edits.push(isRight ? edit : null)
  }
  return edits
}

/** The line of prose nearest to a position in the longest source. */
function findLine(files: CorpusDocument['files'], position: number): { readonly path: string; readonly line: number } {
  const sources = [...files].filter(([path]) => path.endsWith('.tex'))
  const [path, bytes] = sources.toSorted(([, one], [, other]) => other.length - one.length)[0] ?? ['', new Uint8Array()]
  const lines = new TextDecoder().decode(bytes).split('\n')
  const first = Math.max(
    0,
    lines.findIndex((text) => text.includes('\\begin{document}')),
  )
  const wanted = first + (lines.length - first) * position
  const prose = lines.flatMap((text, index) =>
    index > first && /^[A-Za-z](?:[^\\%{}&]|\\ref\{\w+\})*[a-z.]$/.test(text) ? [index] : [],
  )
  const nearest = prose.toSorted((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted))[0]
  return { path, line: (nearest ?? Math.round(wanted)) + 1 }
}

/**
 * Runs in the page: `whenShown` resolves when pixels of a page and then the whole document have changed, and `whenDrawn`
 * when all visible pages are drawn. `isStillShown` = the page that changed first looks the same now. Only new pictures are
 * compared: the comparison takes time of the page.
 */
const WATCH = `(() => {
  const listPictures = () => [...document.querySelectorAll('.page canvas')]
  const pictureOf = (canvas) => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
  // Pictures of the same page can differ in the shade of a pixel at the edge of a letter.
  const isSame = (one, other) => {
    if (one.length !== other.length) return false
    for (let at = 0; at < one.length; at += 1) if (Math.abs(one[at] - other[at]) > ${SAME_SHADE}) return false
    return true
  }
  const numberOf = (canvas) => canvas.closest('.page')?.dataset.pageNumber
  const status = document.querySelector('[data-preview-status]')
  const pages = document.querySelector('.viewer-pages')
  const isDrawn = () => listPictures().length > 0 && [...document.querySelectorAll('.page')].every((one) => {
    const { top, bottom } = one.getBoundingClientRect()
    const box = pages.getBoundingClientRect()
    return bottom < box.top || top > box.bottom || one.dataset.loaded === 'true'
  })
  const isQuiet = () => isDrawn() && status.textContent !== 'Compiling…'
  window.whenDrawn = async () => {
    // The viewer may still be about to open a PDF.
    for (let checks = 0; checks < ${QUIET_CHECKS}; checks = isQuiet() ? checks + 1 : 0)
      await new Promise((resolve) => setTimeout(resolve, 50))
  }
  window.startEdit = () => {
    const old = new Set(listPictures())
    const before = new Map([...old].map((one) => [numberOf(one), pictureOf(one)]))
    let startedAt = null
    addEventListener('keydown', () => (startedAt = performance.now()), { capture: true, once: true })
    window.whenShown = new Promise((resolve) => {
      let pixelsMs = null
      let isCompiling = false
      const findChanged = () => listPictures().find((one) =>
        !old.has(one) && before.has(numberOf(one)) && !isSame(pictureOf(one), before.get(numberOf(one))))
      const end = (edit) => {
        observer.disconnect()
        clearTimeout(timer)
        resolve(edit)
      }
      const observer = new MutationObserver(() => {
        if (startedAt === null) return
        if (status.textContent === 'Compiling…') isCompiling = true
        const changed = isCompiling && pixelsMs === null ? findChanged() : undefined
        if (changed !== undefined) {
          pixelsMs = performance.now() - startedAt
          const [number, picture] = [numberOf(changed), pictureOf(changed)]
          window.isStillShown = () =>
            listPictures().some((one) => numberOf(one) === number && isSame(pictureOf(one), picture))
        }
        if (pixelsMs === null || !status.textContent.startsWith('Preview')) return
        end({ pixelsMs, documentMs: performance.now() - startedAt })
      })
      const timer = setTimeout(() => end(null), ${EDIT_TIMEOUT_MS})
      const changes = { childList: true, subtree: true, characterData: true, attributes: true }
      observer.observe(document.querySelector('.editor-page'), changes)
    })
  }
})()`

/**
 * Milliseconds that keystrokes in a chapter of 200 kB block the page, at the 99th percentile. They are typed at the end of a
 * paragraph, on a page without a draft and then on one with the draft of these.
 */
async function measureChapter(bench: Bench): Promise<number> {
  const [book] = BOOKS
  const text = new TextDecoder().decode(book?.files.get('main.tex')).slice(0, 200_000)
  const complete = `${text.slice(0, text.lastIndexOf('\n\n'))}\n\\end{document}\n`
  await push(bench, 'chapter', new Map([['chapter.tex', Buffer.from(complete)]]))
  const { browser, page } = bench
  const { path, line } = findLine(new Map([['chapter.tex', Buffer.from(complete)]]), 0)
  const times: number[] = []
  for (let opening = 0; opening < CHAPTER_OPENINGS; opening += 1) {
    await page.goto(`/alice/chapter/edit/main/${path}?line=${line}`)
    await page.locator('.viewer[data-state=shown]').waitFor()
    await page.locator('.cm-focused').waitFor()
    await page.keyboard.press('End')
    await page.waitForTimeout(3_000)
    await page.evaluate(WATCH)
    await page.evaluate('window.whenDrawn()')
    times.push(...(await measureTyping(browser, page)))
    await page.locator('[data-draft-status]:text-is("Draft saved")').waitFor()
  }
  return percentile(times, 0.99)
}

function describe({ plainMs, edits, missed }: Row): string {
  const part = (name: string, values: readonly number[]): string =>
    `${name} p50 ${percentile(values, 0.5).toFixed(0)} p95 ${percentile(values, 0.95).toFixed(0)} ms`
  const pixels = edits.map(({ pixelsMs }) => pixelsMs)
  const whole = edits.map(({ documentMs }) => documentMs)
  return `${part('pixels', pixels)}, ${part('document', whole)}, plain pass ${plainMs.toFixed(0)} ms, missed ${missed}`
}

interface Goal {
  readonly name: string
  readonly measured: number
  readonly wanted: number
}

function listGoals(rows: readonly Row[], typingMs: number): readonly Goal[] {
  const pixelsOf = (row: Row): number => medianOf(row.edits.map(({ pixelsMs }) => pixelsMs))
  const wholes = rows.map(({ edits, plainMs }) => medianOf(edits.map(({ documentMs }) => documentMs)) / plainMs)
  const book = rows.find(({ document }) => document === 'book')
  const leaflet = rows.find(({ document }) => document === 'leaflet')
  const engines = (['pdflatex', 'xelatex', 'lualatex'] as const).flatMap((engine) => {
    const own = rows.filter((row) => row.engine === engine)
    const measured = medianOf(own.map((row) => pixelsOf(row) / row.plainMs))
    return own.length === 0 ? [] : [{ name: `editor-page-${engine}`, measured, wanted: PAGE_GOALS[engine] }]
  })
  return [
    ...engines,
    ...(book === undefined || leaflet === undefined
      ? []
      : [{ name: 'editor-page-growth', measured: pixelsOf(book) / pixelsOf(leaflet), wanted: 1.3 }]),
    { name: 'editor-document', measured: medianOf(wholes), wanted: 0.6 },
    { name: 'editor-document-worst', measured: Math.max(...wholes), wanted: 1.3 },
    { name: 'editor-missed-edits', measured: rows.reduce((sum, { missed }) => sum + missed, 0), wanted: 0 },
    { name: 'editor-typing-p99-ms', measured: typingMs, wanted: 16 },
  ]
}
