import { posix } from 'node:path'

/** Languages of the highlighter, with their file extensions. */
const ENDINGS = {
  bash: 'sh bash zsh',
  bibtex: 'bib',
  c: 'c h',
  cpp: 'cc cpp cxx hh hpp cu',
  css: 'css',
  diff: 'diff patch',
  fortran: 'f f90 f95',
  go: 'go',
  haskell: 'hs',
  ini: 'ini toml cfg conf',
  java: 'java',
  javascript: 'js mjs cjs',
  json: 'json ipynb',
  julia: 'jl',
  latex: 'tex ltx latex sty cls dtx ins def clo tikz pgf bbx cbx lbx bbl',
  lua: 'lua',
  makefile: 'mk mak',
  markdown: 'md markdown',
  matlab: 'm',
  perl: 'pl pm',
  python: 'py pyw sage',
  r: 'r rmd',
  ruby: 'rb',
  rust: 'rs',
  sql: 'sql',
  typescript: 'ts mts',
  xml: 'xml html htm svg',
  yaml: 'yml yaml cff',
} as const

/** A language that can be highlighted. */
export type Language = keyof typeof ENDINGS

/** All languages. */
export const LANGUAGES = Object.keys(ENDINGS) as readonly Language[]

/** File names without an extension. */
const NAMES: Readonly<Record<string, Language>> = {
  makefile: 'makefile',
  gnumakefile: 'makefile',
  latexmkrc: 'perl',
  '.latexmkrc': 'perl',
}

const BY_ENDING = new Map<string, Language>()
for (const language of LANGUAGES) for (const ending of ENDINGS[language].split(' ')) BY_ENDING.set(ending, language)

/** The language of a file by its name; null if unknown. */
export function findLanguage(path: string): Language | null {
  const name = posix.basename(path).toLowerCase()
  return NAMES[name] ?? BY_ENDING.get(posix.extname(name).slice(1)) ?? null
}
