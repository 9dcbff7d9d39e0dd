/**
 * Compiles the corpus with latexmk and with this package, and writes the table of passes: `docs/passes.md`.
 *
 * latexmk runs outside the sandbox, without anybody's rc file and without shell escape, with the same moment for all dates. Where its PDF is not
 * ours, it is taken for incomplete if three further passes or the missing tools would have changed it; the table says so.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { compileDocument, EPOCH, withoutMarks } from '../support/compile-document.ts'
import { describeCompile } from '../support/corpus-expectation.ts'
import { readCorpus, type CorpusDocument } from '../support/read-corpus.ts'

interface Row {
  readonly name: string
  readonly engine: string
  readonly ours: string
  readonly latexmk: string
  readonly isSame: boolean
  /** Engine passes that we run more than latexmk; negative = fewer. */
  readonly difference: number
}

const OUTPUT = new URL('../../../../docs/passes.md', import.meta.url)
const SWITCHES = { pdflatex: '-pdf', xelatex: '-pdfxe', lualatex: '-pdflua', tectonic: '-pdf' } as const
const run = promisify(execFile)

const sandbox = await openSandbox('auto')
const chosen = process.argv.slice(2)
const queue = (await readCorpus()).filter(({ name }) => chosen.length === 0 || chosen.includes(name))
const rows: Row[] = []
await Promise.all(Array.from({ length: 2 }, work))
rows.sort((one, other) => (one.name < other.name ? -1 : 1))
const table = tableOf(rows)
if (chosen.length === 0) {
  await mkdir(dirname(OUTPUT.pathname), { recursive: true })
  await writeFile(OUTPUT, table)
}
console.log(table)
process.exitCode = rows.some((row) => row.isSame && row.difference > 0) ? 1 : 0

async function work(): Promise<void> {
  for (let document = queue.shift(); document !== undefined; document = queue.shift())
    rows.push(await compare(document))
}

async function compare(document: CorpusDocument): Promise<Row> {
  const compiled = await compileDocument(document, { sandbox, furtherPasses: 0 })
  const { passes, tools, end } = describeCompile(compiled)
  const theirs = await runLatexmk(document)
  return {
    name: document.name,
    engine: document.engine,
    ours: `${passes} + ${tools.length}${end === 'converged' ? '' : ` (${end})`}`,
    latexmk: `${theirs.passes} + ${theirs.tools}`,
    isSame: withoutMarks(compiled.result.pdf) === withoutMarks(theirs.pdf),
    difference: passes - theirs.passes,
  }
}

async function runLatexmk(
  document: CorpusDocument,
): Promise<{ passes: number; tools: number; pdf: Uint8Array | null }> {
  const folder = await mkdtemp(join(tmpdir(), 'corpus-'))
  try {
    for (const [path, bytes] of document.files) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), bytes)
    }
    const switches = ['-norc', '-f', '-interaction=nonstopmode', '-latexoption=-no-shell-escape']
    const args = [...switches, SWITCHES[document.engine], 'main.tex']
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(EPOCH), FORCE_SOURCE_DATE: '1', LC_ALL: 'C.UTF-8' }
    const said = await run('latexmk', args, { cwd: folder, env, timeout: 180_000, maxBuffer: 64 << 20 }).catch(
      (error: { stdout?: string; stderr?: string }) => ({ stdout: error.stdout ?? '', stderr: error.stderr ?? '' }),
    )
    // Not at the beginning of a line only: a program's last words may lack their line end.
    const rules = [...`${said.stdout}${said.stderr}`.matchAll(/Run number \d+ of rule '(\w+)/g)].map(([, rule]) => rule)
    const passes = rules.filter((rule) => rule === document.engine).length
    const pdf = await readFile(join(folder, 'main.pdf')).catch(() => null)
    return { passes, tools: rules.filter((rule) => rule !== document.engine && rule !== 'xdvipdfmx').length, pdf }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function tableOf(compared: readonly Row[]): string {
  const same = compared.filter((row) => row.isSame)
  const count = (test: (row: Row) => boolean) => same.filter(test).length
  return [
    '# Passes: this package and latexmk',
    '',
    'Engine passes + bibliography and index runs for each document of the corpus (`packages/platex/test/corpus`).',
    '`npm run test:corpus` proves that every PDF equals the one after three further passes;',
    '`scripts/pinned-node packages/platex/test/corpus/compare-latexmk.ts` makes this table.',
    '',
    `${compared.length} documents. latexmk makes the same PDF for ${same.length} of them; there we need fewer engine passes`,
    `${count((row) => row.difference < 0)} times, as many ${count((row) => row.difference === 0)} times and more ${count((row) => row.difference > 0)} times.`,
    'Where the PDFs differ, latexmk stops before references are settled, leaves out what it has no rule for (glossaries,',
    'nomenclatures, split indexes), or the document never settles at all.',
    '',
    '| document | engine | ours | latexmk | same PDF |',
    '|---|---|---|---|---|',
    ...compared.map(
      (row) => `| ${row.name} | ${row.engine} | ${row.ours} | ${row.latexmk} | ${row.isSame ? 'yes' : 'no'} |`,
    ),
    '',
  ].join('\n')
}
