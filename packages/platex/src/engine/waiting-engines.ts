/**
 * Engines that wait for a document.
 *
 * An engine is started with a line of TeX that loads the font map and then reads one more line from the terminal. That
 * line, sent when the document is available, sets the clock and inputs the document, as the command line of a normal
 * start does. `\read` opens no log: the log begins with the document, under its own name.
 *
 * An engine reads the time from its environment at its start. A compile that uses a waiting engine has a later time, so
 * the line also sets the macros for the time; the dates of the PDF are replaced afterwards (`restore-dates.ts`).
 */
import type { ProjectEngine } from '../base/types.ts'
import type { FontMap } from '../sandbox/cache/short-font-map.ts'
import type { WaitingCommand } from '../sandbox/types.ts'
import type { EngineInvocation, EngineRow } from './engines.ts'

interface WaitingRow {
  /** Reads the font map, which is otherwise read at the first page. */
  readonly loadMap: string
  readonly prompt: string
  readonly draft: string
  /** Restarts the stopwatch of the engine. */
  readonly resetTimer: string
  /** How the engine defines small constants. */
  readonly constant: string
  /** Names of the primitive that expands to the time of the document. */
  readonly creationDate: readonly string[]
}

const ROWS: Readonly<Record<ProjectEngine, WaitingRow | null>> = {
  pdflatex: {
    loadMap: String.raw`\pdfmapline{+}`,
    prompt: '\n\\x=',
    draft: String.raw`\pdfdraftmode=1 `,
    resetTimer: String.raw`\pdfresettimer`,
    constant: 'mathchardef',
    creationDate: ['pdfcreationdate', 'tex_creationdate:D'],
  },
  xelatex: {
    loadMap: '',
    prompt: '\n\\x=',
    draft: '',
    resetTimer: String.raw`\resettimer`,
    constant: 'chardef',
    creationDate: ['creationdate', 'tex_creationdate:D'],
  },
  lualatex: {
    loadMap: String.raw`\pdfextension mapline{+}`,
    prompt: '\n\\x =',
    draft: String.raw`\draftmode=1 `,
    resetTimer: '',
    constant: 'chardef',
    creationDate: [],
  },
  latex: null,
  platex: null,
  uplatex: null,
  tectonic: null,
}

/** Reads a line in a group, so that no definition remains. */
const READ_LINE = String.raw`\begingroup\read16to\x\expandafter\endgroup\x`

/** LaTeX numbers the Lua functions of packages from 1. */
const LUA_FUNCTION = 1_000_000

/** Other names need quotes, which would become part of the job name. */
const PLAIN_NAME = /^[A-Za-z0-9][\w.-]*$/

/** The pass for which an engine waits. */
export interface WaitingOrder extends Pick<EngineInvocation, 'rootName' | 'jobName' | 'synctex'> {
  /** Working directory inside the workspace, relative. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly fontMap?: FontMap
}

/** The command of a waiting engine; null if no engine can wait for such a pass. */
export function waitingEngine(row: EngineRow, order: WaitingOrder): WaitingCommand | null {
  const waiting = ROWS[row.engine]
  if (waiting === null || !PLAIN_NAME.test(order.rootName) || !PLAIN_NAME.test(order.jobName)) return null
  const invocation = { ...order, isDraft: false, passes: 'auto' } as const
  const args = row.arguments(invocation).slice(0, -1)
  return {
    program: row.program,
    ...(order.fontMap === undefined ? {} : { fontMap: order.fontMap }),
    // TeX reads the terminal in scroll mode only; the line read there changes the mode.
    args: [...args.map((arg) => arg.replace('=nonstopmode', '=scrollmode')), firstLine(waiting)],
    env: order.env,
    folder: order.folder,
    prompt: waiting.prompt,
  }
}

function firstLine({ loadMap }: WaitingRow): string {
  return `${loadMap}${READ_LINE}`
}

/** The first line of a waiting engine, shown in its log instead of the name of the document. */
export function firstLineOf(command: WaitingCommand): string {
  return command.args.at(-1) ?? ''
}

/** The line that starts processing a document in a waiting engine. */
export function lineForDocument(
  row: EngineRow,
  { rootName, isDraft, synctex, epoch }: Pick<EngineInvocation, 'rootName' | 'isDraft' | 'synctex'> & { epoch: number },
): string {
  const waiting = ROWS[row.engine]
  if (waiting === null) return ''
  return [
    String.raw`\nonstopmode`,
    waiting.resetTimer,
    ...clockSettings(waiting, epoch),
    isDraft ? waiting.draft : '',
    isDraft && synctex ? String.raw`\synctex=0 ` : '',
    String.raw`\csname @@input\endcsname ${rootName}`,
    '\n',
  ].join('')
}

function clockSettings({ constant, creationDate }: WaitingRow, epoch: number): readonly string[] {
  const { year, month, day, minutes } = partsOf(epoch)
  const constants = { minute: minutes % 60, hour: Math.floor(minutes / 60), day, month, year }
  const date = pdfDate(epoch)
  return [
    String.raw`\year=${year} \month=${month} \day=${day} \time=${minutes} `,
    ...Object.entries(constants).map(([name, value]) =>
      ifDefined(`c_sys_${name}_int`, (cs) => `\\expandafter\\${constant}${cs}=${value} `),
    ),
    ...[...creationDate, 'c_sys_timestamp_str'].map((name) =>
      ifDefined(name, (cs) => String.raw`\expandafter\edef${cs}{\detokenize{${date}}}`),
    ),
    creationDate.length > 0 ? '' : luaClock(epoch),
  ]
}

/** Uses \csname, because underscores and colons may not have letter category here. Undefined names stay undefined. */
function ifDefined(name: string, define: (cs: string) => string): string {
  const cs = String.raw`\csname ${name}\endcsname`
  return String.raw`\ifcsname ${name}\endcsname${define(cs)}\fi`
}

/**
 * LuaTeX has no primitive for the date, but a keyword of `\pdffeedback`: a Lua function of that name handles it, and
 * passes all other keywords to the primitive, which expl3 keeps under another name.
 */
function luaClock(epoch: number): string {
  const date = pdfDate(epoch)
  const lua = [
    `os.setenv('SOURCE_DATE_EPOCH','${epoch}')`,
    `pdf.getcreationdate=function() return '${date}' end`,
    `if token.create('tex_pdffeedback:D').cmdname=='feedback' then`,
    `lua.get_functions_table()[${LUA_FUNCTION}]=function()`,
    `if token.scan_keyword('creationdate') then tex.sprint(-2,'${date}')`,
    `else token.put_next(token.create('tex_pdffeedback:D')) end end`,
    `token.set_lua('pdffeedback',${LUA_FUNCTION},'global')`,
    'end',
  ].join(' ')
  return String.raw`\directlua{${lua}}`
}

function partsOf(epoch: number): { year: number; month: number; day: number; minutes: number } {
  const date = new Date(epoch * 1000)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    minutes: date.getUTCHours() * 60 + date.getUTCMinutes(),
  }
}

/** A time in the format of PDF and TeX: `D:20261122151306Z`. */
export function pdfDate(epoch: number): string {
  const digits = new Date(epoch * 1000).toISOString().replace(/\.\d+/, '').replace(/[-:T]/g, '')
  return `D:${digits}`
}
