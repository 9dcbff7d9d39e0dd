/** Engines of the library, by the names used in options. The HTTP API has the first three. */
export const ENGINE_NAMES = ['pdflatex', 'xelatex', 'lualatex', 'tectonic'] as const

/** Engines that make the PDF by way of DVI, only for projects. */
export const DVI_ENGINE_NAMES = ['latex', 'platex', 'uplatex'] as const

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
