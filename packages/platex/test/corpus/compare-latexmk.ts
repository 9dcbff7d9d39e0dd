/**
 * Compiles the corpus with latexmk and with this package, and writes the table of passes: `docs/passes.md`.
 *
 * latexmk runs outside the sandbox, without rc files and shell escape, and with a fixed date. If its PDF differs from ours,
 * it is incomplete if three further passes or the missing tools would have changed it; the table says so.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { compileDocument, EPOCH, withoutMarks } from '../support/compile-document.ts'
import { describeCompile } from '../support/corpus-expectation.ts'
import { readCorpus, type CorpusDocument } from '../support/read-corpus.ts'
import { runLatexmk, writeFiles } from '../support/run-latexmk.ts'

interface Row {
  readonly name: string
  readonly engine: string
  readonly ours: string
  readonly latexmk: string
  readonly isSame: boolean
  /** Difference between our engine passes and the passes of latexmk. */
  readonly difference: number
}

/** Rules of latexmk that only convert the output of the engine. */
const DRIVERS = ['xdvipdfmx', 'dvips', 'ps2pdf', 'dvipdf']

const OUTPUT = new URL('../../../../docs/passes.md', import.meta.url)

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
  const theirs = await compileWithLatexmk(document)
  return {
    name: document.name,
    engine: document.engine,
    ours: `${passes} + ${tools.length}${end === 'converged' ? '' : ` (${end})`}`,
    latexmk: `${theirs.passes} + ${theirs.tools}`,
    isSame: withoutMarks(compiled.result.pdf) === withoutMarks(theirs.pdf),
    difference: passes - theirs.passes,
  }
}

async function compileWithLatexmk({
  engine,
  files,
}: CorpusDocument): Promise<{ passes: number; tools: number; pdf: Uint8Array | null }> {
  const folder = await mkdtemp(join(tmpdir(), 'corpus-'))
  try {
    await writeFiles(folder, files)
    const counts = await runLatexmk(folder, { engine, epoch: EPOCH })
    // latexmk calls every engine that makes DVI files latex.
    const passes = counts.get(engine) ?? counts.get('latex') ?? 0
    const pdf = await readFile(join(folder, 'main.pdf')).catch(() => null)
    const runs = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const drivers = DRIVERS.reduce((sum, rule) => sum + (counts.get(rule) ?? 0), 0)
    return { passes, tools: runs - passes - drivers, pdf }
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
    '`npm run test:corpus` tests that every PDF equals the one after three further passes;',
    '`scripts/pinned-node packages/platex/test/corpus/compare-latexmk.ts` writes this table.',
    '',
    `Documents: ${compared.length}. latexmk creates the same PDF for ${same.length} of them. Compared with it, this package needs fewer engine passes`,
    `for ${count((row) => row.difference < 0)} of these, as many for ${count((row) => row.difference === 0)}, and more for ${count((row) => row.difference > 0)}.`,
    'Where the PDFs differ, latexmk stops before references are stable, does not run tools that it has no rule for (glossaries,',
    'nomenclatures, split indexes), or the document never becomes stable. The two documents of the engine latex have the same',
    'pages, but `ps2pdf` writes PDF 1.4.',
    '',
    '| document | engine | ours | latexmk | same PDF |',
    '|---|---|---|---|---|',
    ...compared.map(
      (row) => `| ${row.name} | ${row.engine} | ${row.ours} | ${row.latexmk} | ${row.isSame ? 'yes' : 'no'} |`,
    ),
    '',
  ].join('\n')
}
