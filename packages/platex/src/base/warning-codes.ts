/** Every code of a warning; peers that do not know a newer one read it as `other`. */
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
