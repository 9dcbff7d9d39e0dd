/**
 * Rewrites the log and the output of an engine that had waited as a plain start writes them.
 *
 * They differ in a few places: the time in the first line, the line after `**`, the banner of LaTeX, which comes before
 * instead of after the name of the document, and the context `<*>` of an error outside all files.
 */
import type { FileEnds } from '../../sandbox/read-result.ts'
import { latin1 } from '../canonical-digest.ts'
import { PARSED_LOG } from '../log-excerpt.ts'
import type { WorkspaceView } from '../workspace-view.ts'

/** The state of an engine before it received the document, as plain data. */
export interface WaitingTrace {
  /** The line with which it was started. */
  readonly firstLine: string
  /** Its standard output until it waited. */
  readonly greeting: string
  /** Root file in the working directory. */
  readonly rootName: string
  /** Time of the document and start time of the engine, in seconds since 1970 UTC. */
  readonly epoch: number
  readonly startedAt: number
}

/** The head of a log ends before this. LuaTeX writes some kilobytes about its callbacks. */
const HEAD_BYTES = 64 * 1024
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/**
 * The log of an engine pass as a plain start writes it; `trace` null = it was a plain start. Null if there is no log.
 */
export async function readEngineLog(workspace: WorkspaceView, trace: WaitingTrace | null): Promise<FileEnds | null> {
  const ends = await workspace.readEnds(workspace.outputPath('log'), PARSED_LOG)
  return ends === null || trace === null ? ends : restoreLog(ends, trace)
}

/** A log as a plain start writes it. */
function restoreLog(ends: FileEnds, trace: WaitingTrace): FileEnds {
  const start = latin1(ends.head.subarray(0, HEAD_BYTES))
  const head = Buffer.concat([
    Buffer.from(restoreHead(start, trace), 'latin1'),
    restoreContexts(ends.head.subarray(HEAD_BYTES), trace),
  ])
  const tail = restoreContexts(ends.tail, trace)
  const sizeBytes = ends.sizeBytes + head.length + tail.length - ends.head.length - ends.tail.length
  return { ...ends, head, tail, sizeBytes }
}

function restoreHead(text: string, trace: WaitingTrace): string {
  const { firstLine, rootName, epoch } = trace
  const marker = `**${firstLine}\n`
  const at = text.indexOf(marker)
  if (at === -1) return text
  const opening = `(./${rootName}`
  const openedAt = text.indexOf(opening, at)
  const dated = text.slice(0, at).replace(/\d{1,2} [A-Z]{3} \d{4} \d\d:\d\d$/m, logDate(epoch))
  const between = openedAt === -1 ? '' : text.slice(at + marker.length, openedAt).trimEnd()
  const rest = openedAt === -1 ? text.slice(at + marker.length) : text.slice(openedAt + opening.length)
  const banner = between === '' ? bannerOf(trace) : mergeBanner(trace, between)
  return `${dated}**${rootName}\n${opening}\n${banner}${restoreContextsIn(rest, trace)}`
}

/** Standard output as a plain start prints it. `printed`: the output after the banner. */
export function restoreOutput(printed: Uint8Array, trace: WaitingTrace): Uint8Array {
  const start = latin1(printed.subarray(0, HEAD_BYTES))
  const opening = `(./${trace.rootName}`
  const openedAt = start.indexOf(opening)
  if (openedAt === -1) return printed
  const before = trace.greeting.slice(0, bannerStart(trace.greeting))
  const rest = restoreContextsIn(start.slice(openedAt + opening.length), trace)
  return Buffer.concat([
    Buffer.from(`${before}${opening}\n${bannerOf(trace)}${rest}`, 'latin1'),
    restoreContexts(printed.subarray(HEAD_BYTES), trace),
  ])
}

function bannerStart(greeting: string): number {
  const at = greeting.search(/^LaTeX2e/m)
  return at === -1 ? greeting.length : at
}

/** The banner of LaTeX, without the font map and the prompt; LuaTeX breaks the line elsewhere. */
function bannerOf({ greeting }: WaitingTrace): string {
  const banner = greeting
    .slice(bannerStart(greeting))
    .replace(/\n\\x ?=$/, '')
    .replace(/\s*\{[^}]*\}\s*$/, '')
    .trimEnd()
  return greeting.startsWith('This is Lua') ? banner.replaceAll('\n', '\n ') : banner
}

/** LuaTeX writes about its callbacks between the lines of the banner, and once after them. */
function mergeBanner(trace: WaitingTrace, between: string): string {
  const [format, ...layers] = bannerOf(trace).split('\n')
  const lines = between.split('\n')
  return [format, lines.slice(0, -1).join('\n') + layers.join(''), lines.at(-1)].join('\n')
}

function restoreContexts(bytes: Uint8Array, trace: WaitingTrace): Uint8Array {
  return bytes.length === 0 ? bytes : Buffer.from(restoreContextsIn(latin1(bytes), trace), 'latin1')
}

/** TeX prints the line it was started with, and below it as many spaces. */
function restoreContextsIn(text: string, { firstLine, rootName }: WaitingTrace): string {
  if (!text.includes('<*> ')) return text
  return text.replaceAll(/^<\*> .*\n( *)\n?/gm, (found, spaces: string) =>
    found.startsWith(`<*> ${firstLine}`)
      ? found
          .replace(firstLine, rootName)
          .replace(spaces, ' '.repeat(Math.max(0, spaces.length - firstLine.length + rootName.length)))
      : found,
  )
}

function logDate(epoch: number): string {
  const date = new Date(epoch * 1000)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = date.getUTCDate()
  return `${day} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`
}
