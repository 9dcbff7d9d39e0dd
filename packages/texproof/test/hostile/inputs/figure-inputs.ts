import { deflateSync } from 'node:zlib'

import { makeTiff } from '../../../../platex/test/support/make-tiff.ts'
import { oneFile, quick, type HostileInput } from '../hostile-input.ts'

function eps(code: string, box = '0 0 40 20'): string {
  return `%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: ${box}\n%%EndComments\n${code}\nshowpage\n%%EOF\n`
}

/** A PDF of these objects, numbered from 1, without a table of references: readers rebuild it. */
function pdf(objects: readonly string[]): string {
  const body = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('')
  return `%PDF-1.7\n${body}trailer\n<< /Root 1 0 R /Size ${objects.length + 1} >>\n%%EOF\n`
}

function onePage(content: string, { box = '0 0 100 100', dictionary = '' } = {}): string {
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>`,
    `<< /Length ${content.length}${dictionary} >>\nstream\n${content}\nendstream`,
    '<< /Type /XObject /Subtype /Form /BBox [0 0 100 100] /Resources << /XObject << /X 5 0 R >> >> /Length 11 >>\nstream\n/X Do /X Do\nendstream',
  ])
}

/** A page with a stream that inflates to 64 MB of drawing operators. */
function inflatedPage(): Buffer {
  const packed = deflateSync(Buffer.alloc(64_000_000, '0 0 m 1 1 l S\n'), { level: 9 })
  const [before = '', after = ''] = onePage('CONTENT', { dictionary: ' /Filter /FlateDecode' }).split('CONTENT')
  return Buffer.concat([
    Buffer.from(before.replace('/Length 7', `/Length ${packed.length}`)),
    packed,
    Buffer.from(after),
  ])
}

/** A TIFF whose header is changed: the values of tags, or where its directories begin. */
function tiff({ side, isCycle = false }: { readonly side?: number; readonly isCycle?: boolean }): Buffer {
  const bytes = Buffer.from(makeTiff(40, 20))
  const directory = bytes.readUInt32LE(4)
  const count = bytes.readUInt16LE(directory)
  for (let n = 0; n < count; n += 1) {
    const entry = directory + 2 + 12 * n
    const isSide = bytes.readUInt16LE(entry) === 256 || bytes.readUInt16LE(entry) === 257
    if (!isSide || side === undefined) continue
    bytes.writeUInt16LE(4, entry + 2) // A long number.
    bytes.writeUInt32LE(side, entry + 8)
  }
  if (isCycle) bytes.writeUInt32LE(directory, directory + 2 + 12 * count)
  return bytes
}

const svg = (content: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg"${attributes}>${content}</svg>`
const entities = Array.from({ length: 12 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('')

const figures: Readonly<Record<string, readonly [path: string, content: string | Uint8Array]>> = {
  'eps-loop': ['a.eps', eps('{} loop')],
  'eps-drawing': ['a.eps', eps('{ newpath 0 0 moveto 40 20 lineto stroke } loop')],
  'eps-recursion': ['a.eps', eps('/f { f f } def f')],
  'eps-memory': ['a.eps', eps('{ 60000 array } loop')],
  'eps-output': ['a.eps', eps('{ (aaaaaaaaaaaaaaaaaaaaaaaa) print } loop')],
  'eps-pages': ['a.eps', eps('{ showpage } loop')],
  'eps-box': ['a.eps', eps('0 0 moveto 9 9 lineto stroke', '0 0 2000000000 2000000000')],
  'eps-negative-box': ['a.eps', eps('0 0 moveto 9 9 lineto stroke', '-1e30 -1e30 1e30 NaN')],
  'eps-long-comments': ['a.eps', eps(`%%${'B'.repeat(8_000_000)}`)],
  'eps-files': ['a.eps', eps('{ (/tmp/a) (w) file 1000000 string writestring } loop')],
  'pdf-box': ['a.pdf', onePage('0 0 m 9 9 l S', { box: '0 0 1e12 1e12' })],
  'pdf-thin-box': ['a.pdf', onePage('0 0 m 9 9 l S', { box: '0 0 0.000001 1000000' })],
  'pdf-empty-box': ['a.pdf', onePage('0 0 m 9 9 l S', { box: '0 0 0 0' })],
  'pdf-nested-forms': ['a.pdf', onePage('/X Do')],
  'pdf-operators': ['a.pdf', onePage('q 0 0 100 100 re W n '.repeat(400_000))],
  'pdf-inflated': ['a.pdf', inflatedPage()],
  'pdf-pages-cycle': [
    'a.pdf',
    pdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 999999 >>']),
  ],
  'pdf-deep-arrays': ['a.pdf', pdf([`<< /Type /Catalog /Pages ${'['.repeat(2_000_000)} >>`])],
  'pdf-objects': ['a.pdf', pdf(Array.from({ length: 200_000 }, () => 'null'))],
  'pdf-garbage': ['a.pdf', `%PDF-1.7\n${'1 0 obj\n'.repeat(1_000_000)}`],
  'tiff-sides': ['a.tiff', tiff({ side: 60_000 })],
  'tiff-huge-sides': ['a.tiff', tiff({ side: 0xffff_fff0 })],
  'tiff-cycle': ['a.tif', tiff({ isCycle: true })],
  'tiff-zeros': ['a.tif', Buffer.concat([Buffer.from('II*\0\u0008\0\0\0'), Buffer.alloc(20_000_000)])],
  'svg-entities': ['a.svg', `<!DOCTYPE svg [<!ENTITY e0 "aaaaaaaaaa">${entities}]>${svg('<text>&e12;</text>')}`],
  'svg-sides': ['a.svg', svg('<rect width="1e9" height="1e9"/>', ' width="1000000000" height="1000000000"')],
  'svg-uses': [
    'a.svg',
    svg(Array.from({ length: 30 }, (_, n) => `<g id="g${n + 1}">${`<use href="#g${n}"/>`.repeat(10)}</g>`).join('')),
  ],
  'svg-filters': ['a.svg', svg(`<filter id="f">${'<feGaussianBlur stdDeviation="9999"/>'.repeat(10_000)}</filter>`)],
}

/** Figures, whose images anonymous readers request. */
export const figureInputs: readonly HostileInput[] = Object.entries(figures).map(([name, [path, content]]) => {
  const input: HostileInput = {
    ...oneFile(`figure-${name}`, path, content),
    anonymous: [`/figure/main/${path}`, `/blob/main/${path}`],
  }
  return name === 'eps-loop' ? quick(input) : input
})
