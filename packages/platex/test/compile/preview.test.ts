import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openProjectCompiler, type PreviewEvent, type PreviewRequest } from '../../src/api/project.ts'

const compiler = await openProjectCompiler({ sandbox: 'required', waitingEngines: 2 })
after(() => compiler.close())

const PAGES = 24
/** A page is shown first only where the rest takes a while, on a fast machine too. */
const SLOW_END = '\\count255=0 \\loop\\ifnum\\count255<2000000 \\advance\\count255 1 \\repeat\n\\end{document}\n'
const FILLER = 'The tide in a narrow channel rises where the bed is shallow. '.repeat(12)

/** A document of some pages; `words` are added to the page of their number. */
function rootOf(words: Readonly<Record<number, string>>, count = PAGES, end = '\\end{document}\n'): Buffer {
  const pages = Array.from({ length: count }, (_, index) => {
    const number = index + 1
    return `Page ${number}. ${words[number] ?? ''}\n\n${FILLER}\n\n${FILLER}\n\n${FILLER}\n\n\\newpage\n`
  })
  return Buffer.from(`\\documentclass{article}\n\\begin{document}\n${pages.join('\n')}${end}`)
}

function requestOf(root: Buffer, more: Partial<PreviewRequest> = {}): PreviewRequest {
  const files = new Map([['main.tex', root]])
  return {
    owner: 'alice',
    session: 'tides',
    rootFile: 'main.tex',
    files,
    engine: 'pdflatex',
    timeoutMs: 60_000,
    ...more,
  }
}

async function listEvents(request: PreviewRequest): Promise<readonly PreviewEvent[]> {
  const events: PreviewEvent[] = []
  for await (const event of compiler.preview(request)) events.push(event)
  return events
}

/** Text of one page of a PDF. */
function textOf(pdf: Uint8Array, page: number): string {
  return execFileSync('pdftotext', ['-f', String(page), '-l', String(page), '-', '-'], { input: pdf }).toString()
}

function lineOf(root: Buffer, text: string): number {
  return root.subarray(0, root.indexOf(text)).toString().split('\n').length
}

test('a preview names the pages that changed', async () => {
  const session = 'changed pages'
  const [first] = await listEvents(requestOf(rootOf({}, 4), { session }))
  const [second] = await listEvents(requestOf(rootOf({ 3: 'Ebb.' }, 4), { session }))
  const [third] = await listEvents(requestOf(rootOf({ 3: 'Ebb.' }, 4), { session }))
  const pagesOf = (event: PreviewEvent | undefined) => (event?.kind === 'done' ? event.changedPages : event?.kind)
  assert.deepEqual([first, second, third].map(pagesOf), [[1, 2, 3, 4], [3], []])
})

test('a preview names the page of the edit', async () => {
  const root = rootOf({ 3: 'Ebb.' }, 4)
  const edited = { file: 'main.tex', line: lineOf(root, 'Ebb.') }
  const [event] = await listEvents(requestOf(root, { session: 'edited page', edited }))
  assert.equal(event?.kind === 'done' ? event.editedPage : event?.kind, 3)
})

test('a preview puts the overlay over the files', async () => {
  const overlay = new Map<string, Uint8Array | null>([
    [
      'main.tex',
      Buffer.from('\\documentclass{article}\\begin{document}\\IfFileExists{old.tex}{\\wrong}{Tides.}\\end{document}'),
    ],
    ['old.tex', null],
  ])
  const files = new Map([
    ['main.tex', Buffer.from('')],
    ['old.tex', Buffer.from('')],
  ])
  const [event] = await listEvents(requestOf(Buffer.from(''), { session: 'overlay', files, overlay }))
  assert.deepEqual(event?.kind === 'done' ? event.outcome.result.errors : event, [])
})

test('a preview without a PDF fails with its errors', async () => {
  const [event] = await listEvents(
    requestOf(Buffer.from('\\documentclass{article}\\begin{document}'), { session: 'broken' }),
  )
  assert.equal(event?.kind, 'failed')
})

test('a newer preview of a session cancels the older one', async () => {
  const looping = requestOf(Buffer.from('\\def\\x{\\x}\\x'), { session: 'newest' })
  const older = listEvents(looping)
  await sleep(300)
  const newer = await listEvents(requestOf(rootOf({}, 1), { session: 'newest' }))
  assert.deepEqual([await older, newer.map(({ kind }) => kind)], [[{ kind: 'cancelled' }], ['done']])
})

test('a preview of another owner with the same name goes on', async () => {
  const root = rootOf({}, 1)
  const both = ['alice', 'bob'].map((owner) => listEvents(requestOf(root, { owner, session: 'same name' })))
  const kinds = (await Promise.all(both)).map((events) => events.map(({ kind }) => kind))
  assert.deepEqual(kinds, [['done'], ['done']])
})

test("a caller's signal cancels a preview", async () => {
  const signal = AbortSignal.timeout(300)
  const looping = requestOf(Buffer.from('\\def\\x{\\x}\\x'), { session: 'signal', signal })
  assert.deepEqual(await listEvents(looping), [{ kind: 'cancelled' }])
})

for (const engine of ['pdflatex', 'xelatex', 'lualatex'] as const) {
  test(`${engine} shows the edited page before the document`, async () => {
    const session = `early ${engine}`
    const preview = (word: string) => {
      const root = rootOf({ 12: word }, PAGES, SLOW_END)
      return listEvents(
        requestOf(root, { session, engine, edited: { file: 'main.tex', line: lineOf(root, 'Page 12.') } }),
      )
    }
    // Engines read ahead when it suits the machine, so an edit may come too early.
    let events: readonly PreviewEvent[] = []
    let word = ''
    for (let edit = 1; edit <= 12 && events.length < 2; edit += 1) {
      word = `Edit ${edit}.`
      events = await preview(word)
      if (events.length < 2) await sleep(1_000)
    }
    const [page, done] = events
    assert.deepEqual([page?.kind, done?.kind], ['page', 'done'])
    const text = page?.kind === 'page' ? textOf(page.pdf, 12 - page.firstPage + 1) : ''
    assert.match(text, new RegExp(`Page 12\\. ${word}`))
  })
}

const figure = (number: number): string =>
  `\\begin{figure}[t]\\rule{5cm}{3cm}\\caption{Float ${number}}\\end{figure}\n\n`
const layouts: Readonly<Record<string, (words: Readonly<Record<number, string>>) => Buffer>> = {
  'with floats': (words) =>
    laidOut(
      '\\documentclass{article}',
      (number) => `${figure(number)}Part ${number}. ${words[number] ?? ''}\n\n${FILLER}`,
    ),
  'in two columns': (words) =>
    laidOut(
      '\\documentclass[twocolumn]{article}',
      (number) => `Part ${number}. ${words[number] ?? ''}\n\n${FILLER}\n\n${number % 3 === 0 ? figure(number) : ''}`,
    ),
  'of slides': (words) =>
    laidOut(
      '\\documentclass{beamer}',
      (number) => `\\begin{frame}{Part ${number}}\n${words[number] ?? ''} ${FILLER.slice(0, 400)}\n\\end{frame}`,
      26,
    ),
}

function laidOut(preamble: string, partOf: (number: number) => string, count = 60): Buffer {
  const parts = Array.from({ length: count }, (_, index) => partOf(index + 1))
  return Buffer.from(`${preamble}\n\\begin{document}\n${parts.join('\n\n')}\n\n${SLOW_END}`)
}

for (const [layout, rootWith] of Object.entries(layouts)) {
  test(`the edited page of a document ${layout} is the one of the whole document`, async () => {
    // Engines read ahead when it suits the machine, so an edit may come too early.
    let events: readonly PreviewEvent[] = []
    let word = ''
    for (let edit = 1; edit <= 12 && events.length < 2; edit += 1) {
      word = `Edit${edit}`
      const root = rootWith({ 9: word })
      const edited = { file: 'main.tex', line: lineOf(root, word) }
      events = await listEvents(requestOf(root, { session: layout, edited }))
      if (events.length < 2) await sleep(1_000)
    }
    const [page, done] = events
    const early = page?.kind === 'page' ? findPage(page.pdf, word) : null
    const whole = done?.kind === 'done' ? findPage(done.outcome.result.pdf ?? Buffer.of(), word) : null
    const firstPage = page?.kind === 'page' ? page.firstPage : Number.NaN
    assert.equal(early?.text.includes(word), true)
    assert.deepEqual(early && { ...early, number: early.number + firstPage - 1 }, whole)
  })
}

test('the edited page of an included file is shown before the document', async () => {
  const chapter = (number: number, word = ''): Buffer =>
    Buffer.from(`\\chapter{Part ${number}}\n${`${FILLER}\n\n`.repeat(20)}${word}\n\n${`${FILLER}\n\n`.repeat(60)}`)
  const numbers = [1, 2, 3, 4, 5, 6]
  const inputs = numbers.map((number) => `\\include{part${number}}`).join('\n')
  const root = Buffer.from(`\\documentclass{report}\n\\begin{document}\n${inputs}\n${SLOW_END}`)
  const parts = numbers.map((number) => [`part${number}.tex`, chapter(number)] as const)
  let events: readonly PreviewEvent[] = []
  let word = ''
  for (let edit = 1; edit <= 12 && events.length < 2; edit += 1) {
    word = `Edit${edit}`
    const edited = chapter(3, word)
    const files = new Map([['main.tex', root], ...parts, ['part3.tex', edited] as const])
    const line = lineOf(edited, word)
    events = await listEvents(requestOf(root, { session: 'included', files, edited: { file: 'part3.tex', line } }))
    if (events.length < 2) await sleep(1_000)
  }
  const [page, done] = events
  assert.deepEqual([page?.kind, done?.kind], ['page', 'done'])
  const early = page?.kind === 'page' ? findPage(page.pdf, word) : null
  assert.deepEqual(early, done?.kind === 'done' ? findPage(done.outcome.result.pdf ?? Buffer.of(), word) : null)
})

/** The first page that contains a word. */
function findPage(pdf: Uint8Array, word: string): { readonly number: number; readonly text: string } | null {
  const pages = execFileSync('pdftotext', ['-', '-'], { input: pdf }).toString().split('\f')
  const index = pages.findIndex((text) => text.includes(word))
  return index === -1 ? null : { number: index + 1, text: pages[index] ?? '' }
}
