/**
 * Plans BibTeX for each `.aux` with a bibliography of its own.
 *
 * A document can have several: multibib and bibunits write additional `.aux` files, chapterbib uses the files of
 * `\include`. But an included `.aux` with a `\bibdata` can also belong to the only bibliography of the root. The `.bbl`
 * files that TeX read or missed decide; without any, the outermost `.aux` with exactly one `\bibdata` below it is
 * selected.
 */
import { posix } from 'node:path'
import { decodeLine } from '../../log/decode-line.ts'
import { digestOf, latin1 } from '../canonical-digest.ts'
import { toWorkspacePath } from '../job-paths.ts'
import { listMissedFiles } from '../list-missed-files.ts'
import type { Recorder } from '../read-recorder.ts'
import type { WorkspaceView } from '../workspace-view.ts'
import { digestFiles } from './digest-files.ts'
import { NO_DEMAND, type ToolContext, type ToolDemand, type ToolPlan } from './types.ts'

/** The parts of an `.aux` that BibTeX reads, including files of `\@input`. */
export interface BibliographyOrder {
  readonly aux: string
  /** The relevant lines of the file and of all files below it; the lines of each file follow its name. */
  readonly lines: readonly string[]
  readonly databases: readonly string[]
  readonly styles: readonly string[]
  /** Number of `\bibdata`; BibTeX accepts one. */
  readonly dataCount: number
  readonly children: readonly string[]
}

export async function planBibtex(context: ToolContext): Promise<ToolDemand> {
  const { workspace, recorder } = context
  const orders = ownOrders(await readOrders(workspace, [...recorder.outputs, ...recorder.inputs]), recorder)
  const missed = listMissedFiles(context.logText, workspace.folder)
  const wanted = new Set([...missed, ...recorder.inputs].filter((path) => path.endsWith('.bbl')))
  if (context.bibliography !== 'none' && isStyleMissing(orders, new Set(missed))) {
    const message = 'I found no \\bibstyle command'
    return { plans: [], unmet: [{ severity: 'error', source: 'bibtex', message, command: 'bibliography' }] }
  }
  const program = findJapaneseBibtex(context)
  const plans = await Promise.all(chooseOrders(orders, wanted).map((order) => planOne(order, { workspace, program })))
  const due = plans.filter((plan) => plan !== null)
  if (due.length === 0) return NO_DEMAND
  if (context.bibliography === 'none') {
    const message = 'bibliography: none, but the document asks for BibTeX'
    return { plans: [], unmet: [{ severity: 'warning', source: 'bibtex', message }] }
  }
  if (!workspace.hasTool('bibtex')) {
    const message = 'bibtex is not available here, so the document has no bibliography'
    return { plans: [], unmet: [{ severity: 'error', source: 'bibtex', message }] }
  }
  return { plans: due, unmet: [] }
}

/** BibTeX of Japanese TeX, which finds and runs the styles that sort and abbreviate Japanese names; null in other engines. */
function findJapaneseBibtex({ logText, workspace }: ToolContext): string | null {
  const variant = /^This is e-(u?p)TeX/.exec(logText)?.[1]
  const program = variant === undefined ? null : `${variant}bibtex`
  return program !== null && workspace.hasTool(program) ? program : null
}

/** The `.aux` files to run BibTeX on. `wanted`: missing `.bbl` files. Exported for tests. */
export function chooseOrders(
  orders: ReadonlyMap<string, BibliographyOrder>,
  wanted: ReadonlySet<string>,
): readonly BibliographyOrder[] {
  const complete = [...orders.values()].filter(isComplete)
  const asked = complete.filter((order) => wanted.has(stemOf(order.aux) + '.bbl'))
  if (asked.length > 0) return asked
  const below = new Set(complete.flatMap((order) => order.children))
  return complete.filter((order) => !below.has(order.aux))
}

/** BibTeX would fail on the only bibliography: its message tells the author what is missing, without the run. */
function isStyleMissing(orders: ReadonlyMap<string, BibliographyOrder>, missed: ReadonlySet<string>): boolean {
  const asked = [...orders.values()].filter((order) => order.dataCount === 1 && hasCitation(order))
  return asked.length > 0 && asked.every(({ aux, styles }) => styles.length === 0 && missed.has(stemOf(aux) + '.bbl'))
}

function isComplete(order: BibliographyOrder): boolean {
  return order.dataCount === 1 && order.styles.length > 0 && hasCitation(order)
}

function hasCitation({ lines }: BibliographyOrder): boolean {
  return lines.some((line) => line.startsWith('\\citation'))
}

async function readOrders(workspace: WorkspaceView, paths: readonly string[]): Promise<Map<string, BibliographyOrder>> {
  const texts = new Map<string, string>()
  for (const path of new Set(paths.filter((name) => name.endsWith('.aux')))) {
    const bytes = await workspace.read(path)
    if (bytes !== null) texts.set(path, latin1(bytes))
  }
  return new Map([...texts.keys()].map((path) => [path, orderOf(path, { texts, folder: workspace.folder })]))
}

/** The files that the pass wrote, and those that they input. Others belong to documents whose labels `xr` reads. */
function ownOrders(
  orders: ReadonlyMap<string, BibliographyOrder>,
  { outputs }: Pick<Recorder, 'outputs'>,
): ReadonlyMap<string, BibliographyOrder> {
  const written = [...orders.values()].filter(({ aux }) => outputs.has(aux))
  const own = new Set(written.flatMap(({ aux, children }) => [aux, ...children]))
  return new Map([...orders].filter(([path]) => own.has(path)))
}

/** Reads one `.aux`. Exported for tests. */
export function orderOf(aux: string, place: { texts: ReadonlyMap<string, string>; folder: string }): BibliographyOrder {
  const seen = new Set<string>([aux])
  const lines: string[] = []
  // The set grows during the iteration, and each `\@input` is visited once.
  for (const path of seen) {
    // BibTeX reads a file at its `\@input`: the order of citations depends on the file in which each is.
    lines.push(`% ${path}`)
    for (const line of (place.texts.get(path) ?? '').split('\n')) {
      const [, command, argument] = /^\\(citation|bibdata|bibstyle|@input)\{([^}]*)\}/.exec(line) ?? []
      if (command === undefined || argument === undefined) continue
      lines.push(`\\${command}{${argument}}`)
      const child = command === '@input' ? toWorkspacePath(decodeLine(argument), place.folder) : null
      if (child !== null) seen.add(child)
    }
  }
  return {
    aux,
    lines,
    databases: argumentsOf(lines, 'bibdata'),
    styles: argumentsOf(lines, 'bibstyle'),
    dataCount: lines.filter((line) => line.startsWith('\\bibdata')).length,
    children: [...seen].slice(1),
  }
}

/** Names of files. */
function argumentsOf(lines: readonly string[], command: string): readonly string[] {
  const start = `\\${command}{`
  return lines
    .filter((line) => line.startsWith(start))
    .flatMap((line) => decodeLine(line.slice(start.length, -1)).split(','))
}

async function planOne(
  order: BibliographyOrder,
  { workspace, program }: { readonly workspace: WorkspaceView; readonly program: string | null },
): Promise<ToolPlan | null> {
  const stem = stemOf(order.aux)
  const output = `${stem}.bbl`
  const paths = order.databases.flatMap((name) => workspace.locate(withEnding(name, '.bib'), 'BIBINPUTS') ?? [])
  const databases = await digestFiles(workspace, paths)
  // arXiv packages contain the `.bbl` and not its databases. Some classes write a database of their own beside those.
  const isOwn =
    databases.found.length < paths.length && databases.found.every((path) => !workspace.givenFiles.has(path))
  if (isOwn && workspace.givenFiles.has(output)) return null
  const stylePaths = order.styles.flatMap((name) => workspace.locate(withEnding(name, '.bst'), 'BSTINPUTS') ?? [])
  const styles = await digestFiles(workspace, stylePaths)
  return {
    tool: 'bibtex',
    ...(program === null ? {} : { program }),
    args: [posix.relative(workspace.folder, stem)],
    subject: order.aux,
    inputDigest: digestOf([program ?? '', ...order.lines, databases.digest, styles.digest].join('\n')),
    outputs: [output],
    transcript: `${stem}.blg`,
    reads: [...databases.found, ...styles.found],
    prepared: new Map(),
  }
}

function withEnding(name: string, ending: string): string {
  return name.endsWith(ending) ? name : name + ending
}

function stemOf(path: string): string {
  return path.slice(0, -posix.extname(path).length)
}
