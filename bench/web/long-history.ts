/**
 * A repository with a long history, as input for `git fast-import`: 50,000 commits that each change one of the 300
 * files of a folder, then a source of 2,000 lines, and finally a large change of it and of many files. It contains no
 * document, so nothing is built.
 */
export const COMMITS = 50_000
const FILES = 300
const LINES = 2_000

/** Yields the stream in chunks. */
export function* longHistory(): Generator<string> {
  let mark = 0
  const commit = (files: ReadonlyMap<string, string>): string => {
    mark += 1
    const at = 1_600_000_000 + 600 * mark
    const message = `Measure the tide for the ${mark}th time`
    const changes = [...files].map(
      ([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
    )
    return `commit refs/heads/main\nmark :${mark}\ncommitter Alice <alice@example.org> ${at} +0000\ndata ${message.length}\n${message}\n${changes.join('')}\n`
  }
  yield commit(new Map([['README.md', '# Tides\n\nMeasured *daily*, see [the data](data/).\n'], ...everyFile(0)]))
  for (let n = 1; n < COMMITS - 2; n += 1) yield commit(new Map([fileOf(n % FILES, n)]))
  yield commit(new Map([['chapter.tex', chapter((line) => line)]]))
  const isRewritten = (line: number): boolean => line % 4 === 0
  yield commit(
    new Map([
      ['chapter.tex', chapter((line, at) => (isRewritten(at) ? line.replace('rises', 'falls slowly') : line))],
      ...everyFile(COMMITS).slice(0, 40),
    ]),
  )
}

function everyFile(n: number): (readonly [path: string, text: string])[] {
  return Array.from({ length: FILES }, (_, index) => fileOf(index, n))
}

function fileOf(index: number, n: number): readonly [path: string, text: string] {
  const rows = Array.from({ length: 12 }, (_, row) => `${row}\t${(n * 31 + row * 7) % 997}\t${(n + row) % 13}`)
  return [`data/gauge-${String(index).padStart(3, '0')}.tsv`, `${rows.join('\n')}\n`]
}

function chapter(change: (line: string, at: number) => string): string {
  const kinds = [
    (n: number) => `\\section{The gauge ${n}}\\label{sec:${n}} % measured by hand`,
    (n: number) =>
      `The water rises by $h_{${n}} = \\frac{${n}}{2}\\,\\mathrm{m}$, see~\\cite{smith${n % 40}} and \\emph{others}.`,
    (n: number) =>
      `\\begin{equation} \\eta_{${n}}(x, t) = \\sum_{k=1}^{${n}} a_k \\cos(\\omega_k t - \\kappa_k x) \\end{equation}`,
    () => 'Nothing else rises here; the line is prose, long enough to be one, and it ends as lines of prose do.',
  ]
  const lines = Array.from({ length: LINES }, (_, at) => change(kinds[at % kinds.length]?.(at) ?? '', at))
  return `${lines.join('\n')}\n`
}
