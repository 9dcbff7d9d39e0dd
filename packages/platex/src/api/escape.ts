/** Text into LaTeX, safely: additions beside the three entries. */
export { escapeLatex } from './escape-latex.ts'
export { raw, tex } from './tex-template.ts'
export type { RawLatex, TexValue } from './tex-template.ts'
