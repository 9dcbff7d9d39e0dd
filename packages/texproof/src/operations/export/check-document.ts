/** Preflight checks of the built document: its log and its PDF. */
import type { CompileResult, LatexError, LatexWarning } from '@texproof/platex'
import type { PdfDescription } from '@texproof/platex/project'

import { formatBytes } from '../../domain/text/format-bytes.ts'
import type { Finding, PackTarget } from './types.ts'

/** The largest submission that arXiv accepts, and one that many systems for manuscripts accept. */
const maxBytes = { arxiv: 50 * 1024 ** 2, journal: 20 * 1024 ** 2 } as const
/** Diagnostics of one kind. */
const MAX_FINDINGS = 50

/** Checks what LaTeX reported. */
export function checkLog({ errors, warnings, logs }: CompileResult): readonly Finding[] {
  const found = (level: Finding['level'], problems: readonly (LatexError | LatexWarning)[], remedy: string) =>
    problems.slice(0, MAX_FINDINGS).map(({ message, file, line, remedy: known }): Finding => {
      return { level, message: plainMessage(message), file, line, remedy: known ?? remedy }
    })
  const of = (...codes: readonly LatexWarning['code'][]) => warnings.filter(({ code }) => codes.includes(code))
  const year = /\(TeX Live (\d{4})/.exec(
    logs.map(({ log, stdout }) => log.slice(0, 500) + stdout.slice(0, 500)).join(' '),
  )
  return [
    ...found('error', errors, 'Fix the error: documents with errors may be rejected.'),
    ...found('error', of('undefined-reference'), 'Add the label, or correct its name.'),
    ...found('error', of('undefined-citation'), 'Add the entry to the bibliography, or correct its key.'),
    ...found('warning', of('multiply-defined-label'), 'Give each label its own name.'),
    ...found('warning', of('overfull-hbox', 'overfull-vbox'), 'Reword the paragraph, or allow a break.'),
    ...(year === null
      ? []
      : [
          notice(
            `Built with TeX Live ${year[1] ?? ''}`,
            'Check the PDF that the target builds: it may use another TeX Live release.',
          ),
        ]),
  ]
}

/** Checks the PDF and the size of the package. */
export function checkPdf(
  { version, pages, fonts, images }: PdfDescription,
  { pdfBytes, zipBytes, target }: { readonly pdfBytes: number; readonly zipBytes: number; readonly target: PackTarget },
): readonly Finding[] {
  const bare = fonts.filter(({ isEmbedded }) => !isEmbedded).map(({ name }) => name)
  const bitmaps = fonts.filter(({ type }) => type === 'Type 3').map(({ name }) => name)
  const sizes = [...new Set(pages.map(({ widthPt, heightPt }) => nameSize(widthPt, heightPt)))]
  const colors = Map.groupBy(images, (image) => image)
  const finding = (level: Finding['level'], message: string, remedy: string): Finding => {
    return { ...notice(message, remedy), level }
  }
  return [
    ...(bare.length > 0
      ? [
          finding(
            'error',
            `Fonts are not embedded: ${bare.join(', ')}`,
            'Use fonts that TeX embeds; check PDF figures.',
          ),
        ]
      : []),
    ...(bitmaps.length > 0
      ? [
          finding(
            'warning',
            `${bitmaps.length === 1 ? 'A font is a bitmap' : `${bitmaps.length} fonts are bitmaps`}, which look coarse on screens`,
            'Use outline fonts: \\usepackage{lmodern}; export figures with TrueType or Type 1 fonts.',
          ),
        ]
      : []),
    ...(zipBytes > maxBytes[target]
      ? [
          finding(
            'error',
            `The package has more than ${formatBytes(maxBytes[target])}`,
            'Reduce the size of the largest figures.',
          ),
        ]
      : []),
    ...(sizes.length > 1
      ? [finding('warning', `Pages have different sizes: ${sizes.join(', ')}`, 'Set one paper size for the document.')]
      : []),
    ...(version !== null && Number(version) >= 2
      ? [finding('warning', `PDF version ${version}`, 'Set an earlier version: \\DocumentMetadata{pdfversion=1.7}')]
      : []),
    notice(
      `PDF ${version ?? 'of unknown version'}, ${sizes.slice(0, 3).join(', ')}, ${formatBytes(pdfBytes)}; package ${formatBytes(zipBytes)}`,
      null,
    ),
    ...(colors.size > 0
      ? [notice(`Pixel images: ${[...colors].map(([name, list]) => `${list.length} ${name}`).join(', ')}`, null)]
      : []),
  ]
}

/** Looks for the authors in a document without authors. */
export function checkAnonymity(
  { pages, author: named }: PdfDescription,
  authors: readonly string[],
): readonly Finding[] {
  const metadata = authors.filter((author) => named?.includes(author) === true)
  const found = authors.flatMap((author) => {
    const at = pages.findIndex(({ text }) => text.replaceAll(/\s+/g, ' ').includes(author))
    if (at === -1) return []
    const message = `Page ${at + 1} of the anonymous document names ${author}`
    return [
      { ...notice(message, 'Remove the name from the text, a figure or the bibliography.'), level: 'error' as const },
    ]
  })
  return [
    ...found,
    ...metadata.map((author): Finding => {
      const message = `The metadata of the anonymous PDF names ${author}`
      return { ...notice(message, 'Remove the name from \\hypersetup or \\pdfinfo.'), level: 'error' }
    }),
  ]
}

/** A message of LaTeX without what the finding says anyway. */
export function plainMessage(message: string): string {
  return message
    .replace(/^(?:LaTeX|Package [\w-]{1,60}|Class [\w-]{1,60}) (?:Warning|Error): /, '')
    .replace(/ on input line \d+\.?$/, '')
    .replace(/\.$/, '')
}

function nameSize(widthPt: number, heightPt: number): string {
  const is = (width: number, height: number): boolean =>
    Math.abs(widthPt - width) < 2 && Math.abs(heightPt - height) < 2
  if (is(595, 842)) return 'A4'
  return is(612, 792) ? '8.5 × 11 in' : `${Math.round(widthPt / 2.835)} × ${Math.round(heightPt / 2.835)} mm`
}

function notice(message: string, remedy: string | null): Finding {
  return { level: 'notice', message, file: null, line: null, remedy }
}
