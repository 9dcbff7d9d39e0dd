/** All engines, by the names used in options and over HTTP. */
export const ENGINE_NAMES = ['pdflatex', 'xelatex', 'lualatex', 'tectonic'] as const

/** Additional output files that can be requested, by extension. */
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

/** All warning codes; older clients read unknown ones as `other`. */
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
