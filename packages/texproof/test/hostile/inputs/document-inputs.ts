import { maxSourceBytes } from '../../../src/papers/detect/find-documents-in-list.ts'
import { oneFile, quick, type HostileInput } from '../hostile-input.ts'

const ARTICLE = '\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n'
const MOST = maxSourceBytes - 100

/** Files that affect the search for documents; none of these trees contains one. */
const files: Readonly<Record<string, readonly [path: string, text: string]>> = {
  'latexmkrc-program': ['latexmkrc', `$pdflatex = "${'x'.repeat(MOST)}`],
  'latexmkrc-programs': ['latexmkrc', '$pdflatex="a/'.repeat(MOST / 13)],
  'latexmkrc-lists': ['latexmkrc', '@default_files=qw('.repeat(MOST / 18)],
  'latexmkrc-braces': ['latexmkrc', '@default_files=('.repeat(MOST / 16)],
  'latexmkrc-quotes': ['latexmkrc', `@default_files = (${"'".repeat(MOST)}`],
  'latexmkrc-patterns': ['latexmkrc', `@default_files = (${"'*a*b*c*d*e*f*g*', ".repeat(2_000)});`],
  'latexmkrc-comments': ['latexmkrc', '"#'.repeat(MOST / 2)],
  'toml-nested': ['.texproof.toml', `a = ${'['.repeat(MOST)}`],
  'toml-tables': ['.texproof.toml', '[[document]]\n'.repeat(MOST / 13)],
  'toml-keys': ['.texproof.toml', `${'a.'.repeat(MOST / 2)}b = 1`],
  'toml-many-keys': ['.texproof.toml', Array.from({ length: 40_000 }, (_, n) => `k${n} = 1`).join('\n')],
  'toml-string': ['.texproof.toml', `a = """${'\\u0041'.repeat(MOST / 7)}`],
  'source-packages': ['a.tex', '\\usepackage['.repeat(MOST / 12)],
  'source-inputs': ['a.tex', '\\input{b}'.repeat(MOST / 9)],
  'source-verbatim': ['a.tex', '\\begin{verbatim}\\verb|'.repeat(MOST / 22)],
  'source-comments': ['a.tex', `${'\\'.repeat(MOST)}%`],
  'source-options': ['a.tex', `\\PassOptionsToPackage{a}{b}\\usepackage{${'b,'.repeat(1_000)}}`.repeat(200)],
  'source-magic': ['a.tex', '% !TEX root = a.tex\n'.repeat(MOST / 20)],
  'source-classes': ['a.tex', '\\documentclass['.repeat(MOST / 15)],
}

const many = (count: number, text: (n: number) => string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}.tex`, text(n)]))

/** Built, because titles are read when a paper is shown. */
const built = (name: string, preamble: string, body = 'Text.'): HostileInput => ({
  name: `built-${name}`,
  isBuilt: true,
  commits: [
    { files: { 'main.tex': `\\documentclass{article}\n${preamble}\n\\begin{document}\n${body}\n\\end{document}\n` } },
  ],
})

/** Trees that are searched for documents, and documents whose results are shown. */
export const documentInputs: readonly HostileInput[] = [
  ...Object.entries(files).map(([name, [path, text]]) => {
    const input = oneFile(`documents-${name}`, path, text)
    return name === 'latexmkrc-program' ? quick(input) : input
  }),
  {
    name: 'documents-input-cycle',
    commits: [{ files: many(2_000, (n) => `\\input{f${(n + 1) % 2_000}}\\documentclass{a}`) }],
  },
  {
    name: 'documents-star',
    commits: [
      {
        files: many(
          1_500,
          () => `\\documentclass{a}${Array.from({ length: 60 }, (_, m) => `\\input{f${m}}`).join('')}`,
        ),
      },
    ],
  },
  { name: 'documents-long', commits: [{ files: many(100, (n) => `${n}${'\\usepackage{a}\n'.repeat(18_000)}`) }] },
  built('title', `\\title{${'{'.repeat(3_000)}`),
  built('title-options', `\\iffalse${'\\title['.repeat(20_000)}\\fi`),
  built('title-comments', `\\iffalse ${'%\n'.repeat(50_000)}\\fi`),
  built(
    'log-of-file-names',
    '',
    `\\typeout{${'/a.a'.repeat(60)}!}\\loop\\typeout{${'/a.a'.repeat(60)}!}\\iftrue\\errmessage{end}\\fi`
      .replace('\\loop', '')
      .replace('\\iftrue', '')
      .replace('\\fi', ''),
  ),
  built('log-of-lines', '\\newcount\\n', '\\loop\\ifnum\\n<20000 \\advance\\n by 1 \\typeout{a}\\repeat'),
  built('warnings', '\\newcount\\n', '\\loop\\ifnum\\n<3000 \\advance\\n by 1 \\ref{a\\the\\n}\\repeat'),
  built('labels', '', `\\undefinedcommand ${'\\label{a}'.repeat(20_000)}`),
  {
    name: 'built-bib-newlines',
    isBuilt: true,
    commits: [
      { files: { 'main.tex': ARTICLE.replace('Text.', '\\undefinedcommand'), 'a.bib': '\n'.repeat(1_000_000) } },
    ],
  },
]
