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
