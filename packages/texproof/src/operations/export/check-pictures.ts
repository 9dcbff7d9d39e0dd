/** Preflight checks of the pictures of a package, at the commands that include them. */
import type { PdfDescription } from '@texproof/platex/project'

import type { PlacedPicture } from './list-pictures.ts'
import type { Finding, PackCompiler, PackOptions, PackTarget } from './types.ts'

/** Each is described by programs of its own. */
const MAX_DESCRIBED = 40

interface CheckedPictures {
  readonly pictures: readonly PlacedPicture[]
  /** Files of the repository. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly target: PackTarget
  readonly options: PackOptions
}

/** Checks fonts, colors and metadata. */
export async function checkPictures(
  compiler: Pick<PackCompiler, 'describePdf'>,
  { pictures, files, target, options }: CheckedPictures,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const picture of pictures.slice(0, MAX_DESCRIBED)) {
    const bytes = files.get(picture.path)
    if (bytes === undefined) continue
    const pdf = picture.path.toLowerCase().endsWith('.pdf') ? await compiler.describePdf(bytes) : null
    if (pdf !== null) findings.push(...checkPdfPicture(picture, pdf, options))
    const color = pdf === null ? readColorSpace(bytes) : (pdf.images.find((image) => image === 'rgb') ?? null)
    if (color === 'rgb' && target === 'journal')
      findings.push(
        finding(picture, 'notice', `${picture.path} has RGB colors`, 'Printed journals may ask for CMYK or gray.'),
      )
  }
  return findings
}

function checkPdfPicture(
  picture: PlacedPicture,
  { fonts, author }: PdfDescription,
  { isAnonymous }: PackOptions,
): readonly Finding[] {
  const bare = fonts.filter(({ isEmbedded }) => !isEmbedded).map(({ name }) => name)
  const hasBitmaps = fonts.some(({ type }) => type === 'Type 3')
  const remedy =
    'Export the figure with its fonts, or embed them: gs -sDEVICE=pdfwrite -dEmbedAllFonts=true -o new.pdf old.pdf'
  return [
    ...(bare.length > 0
      ? [finding(picture, 'error', `${picture.path} has fonts that are not embedded: ${bare.join(', ')}`, remedy)]
      : []),
    ...(hasBitmaps
      ? [
          finding(
            picture,
            'warning',
            `${picture.path} has Type 3 fonts, which some journals reject`,
            'Export the figure with TrueType or Type 1 fonts, such as pdf.fonttype: 42 in matplotlib.',
          ),
        ]
      : []),
    ...(isAnonymous && author !== null
      ? [
          finding(
            picture,
            'error',
            `The metadata of ${picture.path} names ${author}`,
            'Export the figure without an author, or remove its metadata.',
          ),
        ]
      : []),
  ]
}

/** The colors of a PNG or JPEG file, from its header; null for others. */
function readColorSpace(bytes: Uint8Array): 'rgb' | 'gray' | 'cmyk' | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.length > 26 && view.readUInt32BE(0) === 0x89504e47) return view[25] === 0 || view[25] === 4 ? 'gray' : 'rgb'
  if (view.length < 4 || view.readUInt16BE(0) !== 0xffd8) return null
  for (let at = 2; at + 9 < view.length && view[at] === 0xff; at += 2 + view.readUInt16BE(at + 2)) {
    const marker = view[at + 1] ?? 0
    // Start of frame; the others in this range define tables.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return view[at + 9] === 1 ? 'gray' : view[at + 9] === 4 ? 'cmyk' : 'rgb'
  }
  return null
}

function finding({ file, line }: PlacedPicture, level: Finding['level'], message: string, remedy: string): Finding {
  return { level, message, file, line, remedy }
}
