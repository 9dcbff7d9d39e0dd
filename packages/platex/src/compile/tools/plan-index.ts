/**
 * Plans makeindex for each raw index and nomenclature that TeX wrote, or xindy if imakeidx or indextools requests it.
 *
 * The command is the one that these packages print, or the one in a latexmkrc. Otherwise, the style comes from doc, or is the
 * only `.ist` file of the job for an index, unless that one would break it.
 */
import { posix } from 'node:path'
import { decodeLine } from '../../log/decode-line.ts'
import { digestOf, latin1 } from '../canonical-digest.ts'
import { listMissedFiles } from '../list-missed-files.ts'
import type { WorkspaceView } from '../workspace-view.ts'
import { digestFiles } from './digest-files.ts'
import { hasBrokenHeadings, isForIndex } from './index-style.ts'
import { NO_DEMAND, type ToolContext, type ToolDemand, type ToolPlan, type UnmetDemand } from './types.ts'

/** The sorting program, which a document with imakeidx chooses. */
type IndexTool = 'makeindex' | 'xindy' | 'texindy'

/** Sorting of an index. */
interface Sorting {
  readonly tool: IndexTool
  readonly switches: readonly string[]
}

/** A planned run of makeindex or xindy. */
interface IndexOrder extends Sorting {
  /** The raw index, workspace-relative. */
  readonly raw: string
  readonly output: string
  readonly transcript: string
  readonly content: Uint8Array
  /** True if `raw` is a part of a split index, which the planner itself writes. */
  readonly isPart: boolean
}

export async function planIndex(context: ToolContext): Promise<ToolDemand> {
  const { workspace, recorder } = context
  const orders: IndexOrder[] = []
  for (const raw of recorder.outputs) {
    const kind = kindOf(raw)
    if (kind === null) continue
    const content = await workspace.read(raw)
    if (content === null || content.length === 0 || isGlossary(kind, content)) continue
    orders.push(...(await ordersOf({ raw, kind, content }, context)))
  }
  if (orders.length === 0) return NO_DEMAND
  const missing = new Set(orders.map(({ tool }) => tool).filter((tool) => !workspace.hasTool(tool)))
  const unmet = [...missing].map((tool): UnmetDemand => {
    const message = `${tool} is not available here, so the document has no index`
    return { severity: 'warning', source: 'latex', message }
  })
  const possible = orders.filter(({ tool }) => !missing.has(tool))
  return { plans: await Promise.all(possible.map((order) => planOne(order, context))), unmet }
}

interface RawIndex {
  readonly raw: string
  readonly kind: IndexKind
  readonly content: Uint8Array
}

/** Extensions of the sorted file and the log, and the style if it is fixed for this kind. */
interface IndexKind {
  readonly processed: string
  readonly transcript: string
  readonly style: string | null
}

/** `.idx` → `.ind`, and the same for `.adx`, `.pdx` … of the index package. */
function kindOf(raw: string): IndexKind | null {
  const letter = /\.([a-z])dx$/.exec(raw)?.[1]
  if (letter !== undefined) return { processed: `.${letter}nd`, transcript: `.${letter}lg`, style: null }
  if (raw.endsWith('.nlo')) return { processed: '.nls', transcript: '.nlg', style: 'nomencl.ist' }
  return null
}

/** With the options `index` and `numbers`, glossaries writes a list into the file of the index or of the nomenclature. */
function isGlossary({ style }: IndexKind, content: Uint8Array): boolean {
  return !latin1(content).includes(style === null ? '\\indexentry' : '\\nomenclatureentry')
}

async function ordersOf({ raw, kind, content }: RawIndex, context: ToolContext): Promise<readonly IndexOrder[]> {
  const stem = raw.slice(0, -posix.extname(raw).length)
  const sorting = kind.style === null ? await sortingOf({ raw, content }, context) : withMakeindex(['-s', kind.style])
  const parts = splitIndexEntries(latin1(content))
  if (parts === null) {
    const names = { raw, output: stem + kind.processed, transcript: stem + kind.transcript }
    return [{ ...names, ...sorting, content, isPart: false }]
  }
  const missed = listMissedFiles(context.logText, context.workspace.folder)
  return [...parts].map(([name, text]) => {
    const partStem = `${stem}-${name ?? 'idx'}`
    const processed = partStem + kind.processed
    // Entries without a name belong to the main index; splitidx expects them under the job name.
    const isMain = name === null && !missed.has(processed) && !context.recorder.inputs.has(processed)
    return {
      raw: `${partStem}.idx`,
      output: isMain ? stem + kind.processed : processed,
      transcript: partStem + kind.transcript,
      ...sorting,
      content: Buffer.from(text, 'latin1'),
      isPart: true,
    }
  })
}

async function planOne(order: IndexOrder, { workspace }: ToolContext): Promise<ToolPlan> {
  const local = (path: string) => posix.relative(workspace.folder, path)
  const styles = await digestFiles(
    workspace,
    listStyles(order.switches).flatMap((name) => workspace.locate(name, 'INDEXSTYLE') ?? []),
  )
  return {
    tool: order.tool,
    args: [...order.switches, '-t', local(order.transcript), '-o', local(order.output), local(order.raw)],
    subject: order.raw,
    inputDigest: digestOf(`${digestOf(order.content)} ${styles.digest} ${order.switches.join(' ')}`),
    outputs: [order.output],
    transcript: order.transcript,
    reads: styles.found,
    prepared: order.isPart ? new Map([[order.raw, order.content]]) : new Map(),
  }
}

function withMakeindex(switches: readonly string[]): Sorting {
  return { tool: 'makeindex', switches }
}

async function sortingOf(
  { raw, content }: Pick<RawIndex, 'raw' | 'content'>,
  { workspace, recorder, logText }: ToolContext,
): Promise<Sorting> {
  const said = readPrintedCommand(posix.basename(raw), logText) ?? readCommand(workspace.toolCommands.makeindex ?? [])
  if (said !== null) return said
  if (recorder.names.some((name) => name.endsWith('/doc.sty'))) return withMakeindex(['-s', 'gind.ist'])
  const styles = await listIndexStyles(workspace)
  const [only] = styles
  if (styles.length !== 1 || only === undefined) return withMakeindex([])
  const isBroken = await hasBrokenHeadings(only, { workspace, index: content })
  return withMakeindex(isBroken ? [] : ['-s', posix.relative(workspace.folder, only)])
}

async function listIndexStyles(workspace: WorkspaceView): Promise<readonly string[]> {
  const styles: string[] = []
  for (const path of workspace.givenFiles)
    if (path.endsWith('.ist') && (await isForIndex(path, workspace))) styles.push(path)
  return styles
}

/** The command of "Remember to run latex again after calling `texindy -M order x.idx'", or null without one. */
function readPrintedCommand(rawName: string, logText: string): Sorting | null {
  const lines = logText.matchAll(/^\((?:imakeidx|indextools)\)\s+`(makeindex|xindy|texindy) ([^'\n]{0,1000})'/gm)
  for (const [, program, line] of lines) {
    const words = decodeLine(line ?? '')
      .replaceAll('"', '')
      .split(/\s+/)
    if (words.at(-1) === rawName) return readCommand([program ?? '', ...words.slice(0, -1)])
  }
  return null
}

/** The first word is the program. Null if it is another one. */
function readCommand([program = '', ...words]: readonly string[]): Sorting | null {
  const tool = posix.basename(program)
  if (tool === 'makeindex') return withMakeindex(safeSwitches(words))
  if (tool === 'texindy') return { tool, switches: xindySwitches(words) }
  // By default xindy reads its own format, so the LaTeX format is selected.
  return tool === 'xindy' ? { tool, switches: ['-I', 'latex', ...xindySwitches(words)] } : null
}

/** The document controls these arguments: only options for sorting and formatting are accepted. */
function safeSwitches(words: readonly string[]): readonly string[] {
  const switches: string[] = []
  for (const [index, word] of words.entries()) {
    if (/^-[cglrLT]+$/.test(word)) switches.push(word)
    if (word === '-s' && isStyleName(words[index + 1] ?? '')) switches.push('-s', words[index + 1] ?? '')
  }
  return switches
}

/** xindy: language, code page and modules, which may be files of the document. */
function xindySwitches(words: readonly string[]): readonly string[] {
  const switches: string[] = []
  for (const [index, word] of words.entries()) {
    const value = words[index + 1] ?? ''
    if (/^-[LCM]$/.test(word) && isStyleName(value)) switches.push(word, value)
    if (/^-[rg]$/.test(word)) switches.push(word)
  }
  return switches
}

/** Style files, which may be files of the document. */
function listStyles(switches: readonly string[]): readonly string[] {
  return switches.flatMap((word, index) => {
    const value = switches[index + 1]
    if (value === undefined) return []
    if (word === '-s') return [value]
    return word === '-M' ? [value, `${value}.xdy`] : []
  })
}

function isStyleName(word: string): boolean {
  return /^\w[\w./-]*$/.test(word) && !word.includes('..')
}

/**
 * Sorts the entries of one raw index that serves several indexes: `\indexentry[people]{Bob}{1}`.
 *
 * Returns name → raw index of this name, in order; the key null is for entries without a name. Null if no entry has a
 * name. Replaces `splitindex`, without Perl.
 */
export function splitIndexEntries(text: string): ReadonlyMap<string | null, string> | null {
  if (!/^\\indexentry\s*\[/m.test(text)) return null
  const parts = new Map<string | null, string>()
  for (const line of text.split('\n')) {
    const [, name, rest] = /^\\indexentry\s*\[([\w-]+)\](.*)$/.exec(line) ?? []
    const entry = rest === undefined ? line : `\\indexentry${rest}`
    if (entry === '') continue
    parts.set(name ?? null, `${parts.get(name ?? null) ?? ''}${entry}\n`)
  }
  return parts
}
