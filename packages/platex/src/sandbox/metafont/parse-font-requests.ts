/** One font file requested from METAFONT: metrics or the bitmaps of one resolution. */
export interface FontRequest {
  readonly program: 'mktextfm' | 'mktexpk'
  /** Name of the font, `larm1000`. */
  readonly name: string
  /** Arguments before the name. */
  readonly args: readonly string[]
}

/** Fonts of METAFONT have short plain names, unlike `Times New Roman`, which XeTeX may request. */
const FONT_NAME = /^[A-Za-z][A-Za-z0-9-]{0,31}$/
const BITMAP_ARGUMENTS = /^--mfmode (?:\/|[a-z]\w{0,15}) --bdpi \d{2,4} --mag \d\+\d{1,5}\/\d{2,5} --dpi \d{2,5}$/
/** Arguments of pdfTeX, dvips and dvipdfmx with their own settings; `ljfour` is the mode that `/` stands for. */
const STANDARD_ARGUMENTS = /^--mfmode (?:\/|ljfour) --bdpi 600 --mag (\d)\+(\d{1,5})\/600 --dpi (\d{2,5})$/

/**
 * Reads `missfont.log`, to which TeX and its drivers append the command of each missing font.
 *
 * Documents can write anything there, and names and arguments are passed to a program, so lines other than exact
 * requests of TeX are ignored.
 */
export function parseFontRequests(text: string): readonly FontRequest[] {
  const requests = new Map<string, FontRequest>()
  for (const line of text.split('\n').slice(0, 500)) {
    const request = parseLine(line.trim())
    if (request !== null) requests.set(line.trim(), request)
  }
  return [...requests.values()]
}

/**
 * True for metrics and for bitmaps that every document would get under this name.
 *
 * TeX finds a bitmap by its name and resolution only, so one made for another printer (`--mfmode epsdrft`) would be drawn in
 * documents that did not request it.
 */
export function isStandardRequest({ program, args }: FontRequest): boolean {
  if (program === 'mktextfm') return true
  const [, times, rest, dpi] = STANDARD_ARGUMENTS.exec(args.join(' ')) ?? []
  return dpi !== undefined && Number(dpi) === 600 * Number(times) + Number(rest)
}

function parseLine(line: string): FontRequest | null {
  const [program = '', ...words] = line.split(' ')
  const name = words.at(-1) ?? ''
  const args = words.slice(0, -1)
  if (!FONT_NAME.test(name)) return null
  if (program === 'mktextfm' && args.length === 0) return { program, name, args }
  return program === 'mktexpk' && BITMAP_ARGUMENTS.test(args.join(' ')) ? { program, name, args } : null
}
