import type { LatexError, LatexWarning } from '../base/types.ts'
import { listSourceLoads } from './source-loads.ts'
import { createSourceTexts } from './source-texts.ts'
import type { Diagnostics } from './types.ts'

export interface PictureFaults {
  /** Source of each picture that could not be converted, by its name in TeX → the reason. */
  readonly failed: ReadonlyMap<string, string>
  readonly sources: ReadonlyMap<string, string>
}

/**
 * Replaces TeX's messages about pictures that could not be converted, such as a missing `x-eps-converted-to.pdf` or a
 * failed filter of the driver, by the reason.
 */
export function explainWithoutShell(
  { errors, warnings }: Diagnostics,
  { failed, sources }: PictureFaults,
): Diagnostics {
  const broken = warnings.flatMap((warning) => filterFailure(warning, sources) ?? [])
  const kept = warnings.filter((warning) => !isAboutShell(warning) && filterFailure(warning, sources) === null)
  const refused = errors.filter(isExternalization)
  const others = errors.filter((error) => !isExternalization(error)).map((error) => explainMissing(error, failed))
  return { errors: [...others, ...broken], warnings: [...kept, ...refused.slice(0, 1).map(explainExternalization)] }
}

/** TikZ reports an error for each picture that it cannot externalize, then draws it in place: no content is lost. */
function isExternalization({ message }: LatexError): boolean {
  return /^Package tikz Error: Sorry, the system call .* did NOT result in a usable output file/.test(message)
}

function explainExternalization({ file, line }: LatexError): LatexWarning {
  const message =
    'TikZ externalization needs shell escape, which is disabled here: its pictures are typeset in place. ' +
    'Commit their PDFs, or remove \\tikzexternalize.'
  return { type: 'warning', code: 'other', file, line, message }
}

function explainMissing(error: LatexError, failed: ReadonlyMap<string, string>): LatexError {
  const stem =
    /File `([^'\n]{1,500})-eps-converted-to\.pdf' not found/.exec(error.message)?.[1] ??
    /`?(?:svg-inkscape\/)?([^'`\n/]{1,500})_svg-(?:tex|raw)\.pdf/.exec(error.message)?.[1]
  if (stem === undefined) return error
  const [source, reason] = [...failed].find(([path]) => isPicture(path, stem)) ?? []
  if (source === undefined || reason === undefined) return error
  return { ...error, message: `${source} could not be converted to PDF: ${reason}` }
}

function isPicture(path: string, stem: string): boolean {
  const plain = stem.replace(/^(?:\.\/)+/, '')
  return [`${plain}.eps`, `${plain}.svg`].some((name) => path === name || path.endsWith(`/${name}`))
}

/** XeTeX's driver converts pictures itself; on failure it warns and draws nothing. */
function filterFailure({ message }: LatexWarning, sources: ReadonlyMap<string, string>): LatexError | null {
  const name = /xdvipdfmx:warning: Image format conversion for "(?:\.\/)?([^"\n]{1,500})" failed/.exec(message)?.[1]
  if (name === undefined) return null
  const place = findInclusion(name, sources)
  const text = `${name} could not be converted to PDF: Ghostscript (gs) is not installed or failed`
  return { type: 'error', ...place, message: text, context: message, source: 'latex' }
}

function findInclusion(
  name: string,
  sources: ReadonlyMap<string, string>,
): { readonly file: string | null; readonly line: number | null } {
  const texts = createSourceTexts(sources)
  const stem = name.replace(/\.\w+$/, '')
  for (const file of texts.files) {
    const load = listSourceLoads(texts, file).find(
      ({ command, names }) => command === 'includegraphics' && (names.includes(name) || names.includes(stem)),
    )
    if (load !== undefined) return { file, line: load.nameLine }
  }
  return { file: null, line: null }
}

const ABOUT_SHELL =
  /Package (?:epstopdf Warning: Shell escape feature is not enabled|shellesc Warning: Shell escape disabled|ifplatform Warning: shell escape is disabled|(?:imakeidx|indextools) Warning: Remember to run)/

/** Pictures and indexes do not need a shell here; packages that do are reported elsewhere. */
function isAboutShell({ message }: LatexWarning): boolean {
  return ABOUT_SHELL.test(message)
}
