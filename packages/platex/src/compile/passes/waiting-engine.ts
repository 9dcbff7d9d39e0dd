/** Which engine can wait for a document, and its input when the document is available. */
import { posix } from 'node:path'
import { firstLineOf, lineForDocument, waitingEngine } from '../../engine/waiting-engines.ts'
import { DEFAULTS, ROOT_FILE } from '../../base/defaults.ts'
import { ENGINES, type EngineRow } from '../../engine/engines.ts'
import type { BeforeResume, ResumeOrder, Sandbox, WaitingCommand } from '../../sandbox/types.ts'
import { latin1 } from '../canonical-digest.ts'
import { documentEnvironment } from '../document-environment.ts'
import { jobPathsOf } from '../job-paths.ts'
import type { CompileJob } from '../job.ts'
import { translateFileOf } from '../readers/engine-command.ts'
import { fontMapFor, type FontMapJob } from '../readers/font-map.ts'
import { findSearchSettings } from '../latexmkrc/search-paths-of.ts'
import type { GregorioJob } from '../tools/runs-gregorio.ts'
import type { WaitingTrace } from './restore-log.ts'

/**
 * Files that TeX reads from the folder of the document before the document itself, and those that a waiting engine has
 * created there.
 */
const READ_AT_START =
  // LuaTeX reads tables of Unicode: `UnicodeData.txt`.
  /^(?:pdftex\.map|texmf\.cnf|language\.dat\.lua|(?:lualibs|luaotfload|fontloader|ltluatex|luatex|lualatex|texlua|lua-uni|expl3)[^/]*|[A-Z][A-Za-z]+\.txt|[^/]*\.(?:fls|fmt|conf))$/

/**
 * Words in sources that require a plain start: changes of the font map, which a waiting engine has already read,
 * variants of primitives, and a command that starts a program.
 */
const SENSITIVE_WORDS = ['mapfile', 'mapline', 'primitive', 'gabcsnippet'].map((word) => Buffer.from(word))

const answers = new WeakMap<CompileJob['files'], boolean>()

/** The waiting engine that the first pass of a job could use; null if none can wait for it. */
export function waitingEngineFor(
  job: Pick<CompileJob, 'rootFile' | 'synctex' | 'sourceDateEpoch'> & FontMapJob & GregorioJob,
  row: EngineRow,
): WaitingCommand | null {
  // It was started without the folders of this project, possibly for another one.
  if (!isIndifferent(job.files) || findSearchSettings(job.files, job.rootFile) !== null) return null
  // It was started without the table.
  if (translateFileOf(job.files.get(job.rootFile) ?? new Uint8Array()) !== null) return null
  const { folder, rootName, jobName } = jobPathsOf(job.rootFile)
  const env = documentEnvironment(job, { folder })
  const { synctex = false } = job
  return waitingEngine(row, { folder, rootName, jobName, synctex, env, ...fontMapFor(job, row) })
}

/** True if the files have the same effect on an engine that has already loaded its font map and set its clock. */
function isIndifferent(files: CompileJob['files']): boolean {
  const known = answers.get(files)
  if (known !== undefined) return known
  const isAllowed = [...files].every(([path, bytes]) => {
    if (READ_AT_START.test(posix.basename(path))) return false
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return SENSITIVE_WORDS.every((word) => !buffer.includes(word))
  })
  answers.set(files, isAllowed)
  return isAllowed
}

/** Input that makes a waiting engine process a pass. */
export function resumeOrder(
  waiting: WaitingCommand,
  { row, rootName, isDraft, synctex, epoch }: Parameters<typeof lineForDocument>[1] & { readonly row: EngineRow },
): ResumeOrder {
  return { waiting, input: lineForDocument(row, { rootName, isDraft, synctex, epoch }) }
}

/** Data for rewriting the output of a pass as if the engine had been started plainly; null for a plain start. */
export function traceOf(
  before: BeforeResume | undefined,
  {
    waiting,
    rootName,
    epoch,
  }: { readonly waiting: WaitingCommand | null; readonly rootName: string; readonly epoch: number },
): WaitingTrace | null {
  if (before === undefined || waiting === null) return null
  const startedAt = Number(before.env['SOURCE_DATE_EPOCH'])
  return { firstLine: firstLineOf(waiting), greeting: latin1(before.stdout), rootName, epoch, startedAt }
}

/** Keeps the default engine waiting for a document with the default name, before the first compile. */
export async function keepDefaultEngineWaiting(
  sandbox: Pick<Sandbox, 'kind' | 'has' | 'keepWaiting' | 'shortFontMap'>,
  { synctex }: Pick<Required<CompileJob>, 'synctex'>,
): Promise<void> {
  const row = ENGINES[DEFAULTS.engine]
  const command = waitingEngineFor({ files: new Map(), rootFile: ROOT_FILE, synctex, sandbox }, row)
  if (command !== null && sandbox.has(row.program)) await sandbox.keepWaiting(command)
}
