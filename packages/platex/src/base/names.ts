/** Every engine, by the name that callers and the wire use. */
export const ENGINE_NAMES = ['pdflatex', 'xelatex', 'lualatex', 'tectonic'] as const

/** Files beside the PDF that a caller can ask for, by their extensions. */
export const OUTPUT_NAMES = [
  'aux',
  'bbl',
  'idx',
  'ind',
  'glo',
  'gls',
  'nls',
  'toc',
  'lof',
  'lot',
  'out',
  'synctex',
] as const

/** Every warning code; peers that lack a newer one read it as `other`. */
export const WARNING_CODES = [
  'overfull-hbox',
  'underfull-hbox',
  'overfull-vbox',
  'underfull-vbox',
  'undefined-reference',
  'undefined-citation',
  'multiply-defined-label',
  'font-warning',
  'package-warning',
  'other',
] as const
