/** Text into LaTeX, safely: additions beside the three entries. */
export { escapeLatex } from './escape/escape-latex.ts'
export { raw, tex } from './escape/tex-template.ts'
export type { RawLatex, TexValue } from './escape/tex-template.ts'
