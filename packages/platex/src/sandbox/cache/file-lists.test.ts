import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { shorten } from './file-lists.ts'

const run = promisify(execFile)

const LIST = `% ls-R -- filename database
./:
ls-R
bibtex

./bibtex:
bst

./bibtex/bst:
plain.bst

./doc/latex:
manual.pdf

./fonts/source/public/cm:
cmr10.mf

./fonts/tfm/bibtex:
a.tfm

./makeindex/base:
din.ist

./tex/latex/doc:
base
`

test('the list of tools has the folders of styles and databases, and the lines before the first folder', () => {
  assert.equal(
    shorten(LIST, 'tool'),
    `% ls-R -- filename database
./bibtex:
bst

./bibtex/bst:
plain.bst

./makeindex/base:
din.ist

`,
  )
})

test('the list of engines omits documentation and sources', () => {
  const omitted = ['./doc/latex:\nmanual.pdf\n\n', './fonts/source/public/cm:\ncmr10.mf\n\n']
  const expected = omitted.reduce((list, part) => list.replace(part, ''), LIST)
  assert.equal(shorten(LIST, 'engine'), expected)
})

test('the list of pdfTeX omits metrics of large families, except the metrics of common classes', () => {
  const metrics = Array.from({ length: 151 }, (_, number) => `${number}.tfm`).join('\n')
  const common = `./fonts/tfm/jknappen/ec:\n${metrics}\n\n./fonts/vf/google/roboto:\n${metrics}\n\n`
  const list = `${LIST}\n./fonts/tfm/google/roboto:\n${metrics}\n\n${common}`
  assert.equal(shorten(list, 'engine'), shorten(`${LIST}\n`, 'engine') + list.slice(LIST.length + 1))
  assert.equal(shorten(list, 'pdftex'), shorten(`${LIST}\n`, 'engine') + common)
})

/** The search paths of pdfTeX, XeTeX and xdvipdfmx. */
const PATHS = `TEXINPUTS TFMFONTS VFFONTS OFMFONTS OVFFONTS TEXFONTMAPS ENCFONTS T1FONTS T42FONTS TTFONTS OPENTYPEFONTS
  AFMFONTS PKFONTS GFFONTS GLYPHFONTS CMAPFONTS FONTCIDMAPS SFDFONTS MISCFONTS FONTFEATURES TEXPSHEADERS TEXFORMATS WEB2C
  XDVIPDFMXINPUTS DVIPDFMXINPUTS`.split(/\s+/)

test('no search path of an engine covers a folder that its list omits', async () => {
  const { stdout: tree } = await run('kpsewhich', ['--var-value=TEXMFDIST'])
  const list = await readFile(`${tree.trim()}/ls-R`, 'latin1')
  const kept = new Set(listFolders(shorten(list, 'engine')))
  const omitted = listFolders(list).filter((folder) => !kept.has(folder))
  assert.ok(omitted.length > 0)
  const elements = new Set<string>()
  for (const program of ['pdflatex', 'xelatex', 'xdvipdfmx']) {
    const paths = PATHS.map((name) => `$${name}`).join(':')
    const { stdout } = await run('kpsewhich', [`--progname=${program}`, `--expand-braces=${paths}`])
    for (const element of stdout.trim().replaceAll('!!', '').split(':')) elements.add(element)
  }
  const covering = [...elements].filter((element) =>
    omitted.some((folder) => coversFolder(element, `${tree.trim()}/${folder}`)),
  )
  assert.deepEqual(covering, [])
})

function listFolders(list: string): readonly string[] {
  return list.split('\n').flatMap((line) => /^\.\/(.+):$/.exec(line)?.[1] ?? [])
}

/** Two slashes in an element stand for any folders in between. */
function coversFolder(element: string, folder: string): boolean {
  const [start = '', end] = element.split('//')
  if (end === undefined) return folder === element
  return `${folder}/`.startsWith(`${start}/`) && folder.endsWith(end)
}
