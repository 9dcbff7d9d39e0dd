/** From a source line to its position in the PDF and back, for every engine and for unusual file names and folders. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import type { User } from '../../src/domain/types.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'

interface Answer {
  readonly page: number
  readonly x: number
  readonly y: number
  readonly path: string
  readonly line: number
  readonly href: string
  readonly message: string
}

const root = (firstLine: string, input: string): string => String.raw`${firstLine}
\documentclass{article}
\begin{document}
Words of the root.

${input}

Last words.
\end{document}
`
const included = '% a comment\nWords of the other file.\n'

const TREES: readonly (readonly [title: string, files: Readonly<Record<string, string>>, lines: readonly string[]])[] =
  [
    [
      'a root in a folder',
      { 'paper/main.tex': root('%', String.raw`\input{sections/a}`), 'paper/sections/a.tex': included },
      ['paper/main.tex:4', 'paper/sections/a.tex:2'],
    ],
    [
      'names with spaces',
      { 'main.tex': root('%', String.raw`\input{"part one.tex"}`), 'part one.tex': included },
      ['main.tex:8', 'part one.tex:2'],
    ],
    [
      'XeLaTeX and names beyond ASCII',
      { 'main.tex': root('% !TEX program = xelatex', String.raw`\input{größe}`), 'größe.tex': included },
      ['main.tex:4', 'größe.tex:2'],
    ],
    [
      'LuaLaTeX and a file on a page of its own',
      { 'main.tex': root('% !TEX program = lualatex', String.raw`\include{ch/a}`), 'ch/a.tex': included },
      ['main.tex:4', 'ch/a.tex:2', 'main.tex:8'],
    ],
  ]

let host: PaperHost
let alice: User
let token: string

before(async () => {
  host = await openPaperHost()
  const person = await host.addUser('alice')
  alice = person.user
  token = person.token
})
after(() => host.close())

for (const [index, [title, files, lines]] of TREES.entries())
  test(`a source line maps to its place in the PDF and back: ${title}`, async () => {
    const name = await pushPaper(`paper-${index}`, files)
    const back: string[] = []
    for (const place of lines) {
      const [path = '', line = ''] = place.split(':')
      const { page, x, y } = await ask(name, { path, line })
      const source = await ask(name, { page: String(page), x: String(x + 10), y: String(y + 4) })
      back.push(`${source.path}:${source.line}`)
    }
    assert.deepEqual(back, lines)
  })

test('an invalid request is rejected, and a place without a source says so', async () => {
  const name = await pushPaper('plain', { 'main.tex': root('%', '') })
  const answers = [
    await ask(name, { page: '1', x: '300', y: '400' }),
    await ask(name, { path: 'other.tex', line: '1' }),
    await ask(name, { path: '../main.tex', line: '1' }),
  ]
  assert.deepEqual(
    answers.map(({ message }) => message),
    [
      'This text has no source line: LaTeX generated it.',
      'Line 1 of other.tex does not appear in a PDF of main.',
      'Line 1 of ../main.tex does not appear in a PDF of main.',
    ],
  )
  const odd = ['page=1&x=one&y=1', 'page=1', 'path=main.tex', 'path=main.tex&line=Infinity', 'page=1&x=1e99&y=1']
  const statuses = odd.map(async (query) => (await fetch(`${host.origin}/alice/${name}/synctex/main?${query}`)).status)
  assert.deepEqual(
    await Promise.all(statuses),
    odd.map(() => 404),
  )
})

test('a problem of the displayed PDF links to its place', async () => {
  const name = await pushPaper('overfull', { 'main.tex': root('%', String.raw`\hbox to 1cm{Much too wide for this.}`) })
  const body = await (await fetch(`${host.origin}/alice/${name}/pdf/main`)).text()
  const href = /class="in-pdf" href="([^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&')
  assert.equal(href, `/alice/${name}/synctex/main?path=main.tex&line=6`)
})

async function pushPaper(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const { id } = await host.addRepository(alice, name)
  const checkout = await host.makeCheckout(host.gitUrl(`alice/${name}.git`, token), files)
  await checkout.git('push', 'origin', 'main')
  await host.whenBuilt(id)
  return name
}

async function ask(name: string, query: Readonly<Record<string, string>>): Promise<Answer> {
  const address = `${host.origin}/alice/${name}/synctex/main?${new URLSearchParams(query)}`
  return (await fetch(address, { headers: { accept: 'application/json' } })).json() as Promise<Answer>
}
