import type { HostileForm, HostileInput } from '../hostile-input.ts'

const ARTICLE = String.raw`\documentclass{article}\begin{document}a\iffalse `

/** A paper that compiles at once, whose source is slow to read. Exported too, which reads it again. */
function paper(name: string, source: string, files: Readonly<Record<string, string>> = {}): HostileInput {
  const repository = `paper-${name}`
  const options = { for: 'arxiv', flat: 'yes', comments: 'no', anonymous: 'yes' }
  const exported: HostileForm = {
    path: `/bob/${repository}/export/main`,
    encode: (token) => new URLSearchParams({ form_token: token, ...options }),
  }
  return {
    name: repository,
    isBuilt: true,
    commits: [{ files: { 'main.tex': `${ARTICLE}${source}\\fi\\end{document}\n`, ...files } }],
    forms: [exported],
    pages: ['/project/main/main.tex'],
  }
}

const names = Array.from({ length: 600 }, (_, n) => `s${n}`)

/** Papers whose words are counted and which are exported. */
export const paperInputs: readonly HostileInput[] = [
  paper('sections', '\\section{a}b '.repeat(60_000)),
  paper('nested-arguments', '\\footnote{a'.repeat(60_000)),
  paper('nested-environments', '\\begin{quote}a'.repeat(60_000)),
  paper('open-skipped', '\\begin{tabular}'.repeat(55_000)),
  paper('open-verbatim', '\\verb|'.repeat(130_000)),
  paper('words-of-marks', `a${'\u0301'.repeat(400_000)}`),
  paper('words-of-points', 'a.'.repeat(400_000)),
  paper('words-of-signs', '\u6f6e'.repeat(250_000)),
  paper('comments', '%\n'.repeat(400_000)),
  paper('graphics', '\\includegraphics{a}'.repeat(45_000)),
  paper(
    'inputs',
    names.map((name) => `\\input{${name}}`).join(''),
    Object.fromEntries(names.map((name) => [`${name}.tex`, names.map((other) => `\\input{${other}}`).join('')])),
  ),
  paper('authors', '\\author{'.repeat(100_000)),
]

const files = Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`${'n'.repeat(100)}${n}`, 'x']))

/** Pushes that webhooks report. */
export const webhookInputs: readonly HostileInput[] = [
  {
    name: 'webhook-of-long-message',
    hasWebhook: true,
    commits: [{ files: { a: 'a' }, message: '\u0001"'.repeat(400_000) }],
  },
  { name: 'webhook-of-many-files', hasWebhook: true, commits: [{ files }] },
  {
    name: 'webhook-of-many-commits',
    hasWebhook: true,
    commits: Array.from({ length: 300 }, (_, n) => ({
      files: { a: `${n}` },
      message: '\\"\n'.repeat(20_000),
      author: 'B'.repeat(5_000),
    })),
  },
]
