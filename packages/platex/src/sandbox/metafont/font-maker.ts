/**
 * Fonts that exist as METAFONT sources only, made once per TeX installation and read-only for every compile.
 *
 * Documents may not start METAFONT: XeTeX would, for every unknown font name, 2 s each. TeX records missing fonts
 * instead, and the pass is repeated if some of them could be made. A shared font is made from the sources of the
 * installation alone, in an empty workspace, so documents cannot affect each other. Fonts whose sources are part of the
 * document, and bitmaps for another printer or base resolution than usual, are made in its own workspace and deleted with it.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { mapFewAtOnce } from '../../base/map-few-at-once.ts'
import type { Workspaces } from '../open-workspaces.ts'
import { readResult } from '../read-result.ts'
import { removeLeastUsed } from '../remove-least-used.ts'
import type { FontOrder, RunReport, SandboxCommand, SandboxRunOptions } from '../types.ts'
import { isStandardRequest, type FontRequest } from './parse-font-requests.ts'

export interface FontMakerOptions {
  /** Folder of the shared fonts on the host. */
  readonly dir: string
  readonly workspaces: Pick<Workspaces, 'create' | 'remove'>
  /** PATH of the programs that make fonts. */
  readonly path: string
  readonly run: (command: SandboxCommand, options: SandboxRunOptions) => Promise<RunReport>
}

/** METAFONT runs at once for one document. */
const MAX_MAKERS = 4
const MAX_FONT_BYTES = 4 * 1024 * 1024
/**
 * Beyond these limits the fonts made first are removed, so that no document can fill the disk or stop sharing. Compiles read
 * the folder without leaving a time of use. A removed font is made again when it is missing.
 */
const SHARED_LIMITS = { maxBytes: 256 * 1024 * 1024, maxFiles: 2000 }
const FONT_PATH = /^(?:tfm|pk)(?:\/[\w+][\w.+-]*){1,6}\.(?:tfm|\d+pk)$/
const SHARED_FONT_DIR = 'fonts'

/** Makes the fonts for which there are sources, and returns their names. */
export async function makeFonts(order: FontOrder, options: FontMakerOptions): Promise<readonly string[]> {
  const own = order.requests.filter(({ name }) => isOwn(name, order.ownSources))
  const others = order.requests.filter((request) => !own.includes(request))
  const possible = await findPossible(others, order, options)
  const shared = possible.filter(isStandardRequest)
  const local = [...own, ...possible.filter((request) => !shared.includes(request))]
  return [...(await makeShared(shared, order, options)), ...(await makeForDocument(local, order, options))]
}

function isOwn(name: string, ownSources: ReadonlySet<string>): boolean {
  return ownSources.has(`${name}.mf`) || ownSources.has(`${name.replace(/\d+$/, '')}.mf`)
}

/** The fonts with sources in the installation: one quick lookup instead of seconds for each name. */
async function findPossible(
  requests: readonly FontRequest[],
  order: FontOrder,
  options: FontMakerOptions,
): Promise<readonly FontRequest[]> {
  if (requests.length === 0) return []
  const names = [...new Set(requests.flatMap(({ name }) => listFontSources(name)))]
  const { stdout } = await inEmptyWorkspace(options, (workspaceDir) =>
    options.run({ program: 'kpsewhich', args: names }, { ...budgetOf(order), workspaceDir }),
  )
  const found = new Set(linesOf(stdout).map((path) => posix.basename(path)))
  return requests.filter(({ name }) => listFontSources(name).some((source) => found.has(source)))
}

/** Several at once, since METAFONT needs seconds for a font. */
async function makeShared(
  requests: readonly FontRequest[],
  order: FontOrder,
  options: FontMakerOptions,
): Promise<readonly string[]> {
  const made = new Set<FontRequest>()
  await mapFewAtOnce(requests, Math.min(availableParallelism(), MAX_MAKERS), async (request) => {
    if (order.remainingMs() > 0 && (await makeOneShared(request, order, options))) made.add(request)
  })
  if (made.size > 0) await removeLeastUsed(options.dir, SHARED_LIMITS)
  return requests.filter((request) => made.has(request)).map(({ name }) => name)
}

/** True if the font was made. A run that is stopped leaves files behind that would fail the next, so each has a workspace. */
async function makeOneShared(request: FontRequest, order: FontOrder, options: FontMakerOptions): Promise<boolean> {
  return inEmptyWorkspace(options, async (workspaceDir) => {
    const command = makingCommand(request, `PATH='${options.path}' TEXMFVAR="$PWD"; export PATH TEXMFVAR`)
    const { stdout } = await options.run(command, { ...budgetOf(order), workspaceDir })
    const start = `/${SHARED_FONT_DIR}/`
    let isMade = false
    for (const line of linesOf(stdout)) {
      const path = line.slice(line.indexOf(start) + start.length)
      if (!line.includes(start) || !FONT_PATH.test(path)) continue
      const bytes = await readResult(workspaceDir, `${SHARED_FONT_DIR}/${path}`, MAX_FONT_BYTES)
      if (bytes === null) continue
      await keepFont(join(options.dir, path), bytes)
      isMade = true
    }
    return isMade
  })
}

async function makeForDocument(
  requests: readonly FontRequest[],
  order: FontOrder,
  options: FontMakerOptions,
): Promise<readonly string[]> {
  const made: string[] = []
  for (const request of requests) {
    if (order.remainingMs() === 0) break
    const { end } = await options.run(makingCommand(request, `PATH='${options.path}'; export PATH`), {
      ...budgetOf(order),
      workspaceDir: order.workspaceDir,
      folder: order.folder,
    })
    if (end.kind === 'exited' && end.exitCode === 0) made.push(request.name)
  }
  return made
}

/** Through the shell, because the path of the workspace is known inside only. */
function makingCommand({ program, args, name }: FontRequest, environment: string): SandboxCommand {
  return { program: 'sh', args: ['-c', `${environment}; exec "$0" "$@"`, program, ...args, name] }
}

/** Written atomically; two compiles may make the same font at once. */
async function keepFont(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o755 })
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, bytes, { mode: 0o444 })
  await rename(draft, path)
}

async function inEmptyWorkspace<T>(
  { workspaces }: FontMakerOptions,
  use: (workspaceDir: string) => Promise<T>,
): Promise<T> {
  const workspaceDir = await workspaces.create()
  try {
    return await use(workspaceDir)
  } finally {
    await workspaces.remove(workspaceDir)
  }
}

function budgetOf({ remainingMs, signal }: FontOrder): Pick<SandboxRunOptions, 'timeoutMs' | 'signal'> {
  return { timeoutMs: remainingMs(), signal }
}

function linesOf(bytes: Uint8Array): readonly string[] {
  return new TextDecoder().decode(bytes).split('\n')
}

/**
 * METAFONT sources, any of which lets `mktextfm` make a font of this name, as in `mktexmf`: the font's own, the source of its
 * family, or the generator of a collection for every size.
 */
function listFontSources(name: string): readonly string[] {
  const family = name.replace(/\d+$/, '')
  return [`${name}.mf`, `${family}.mf`, `b-${family}.mf`, ...collectionSources(name)]
}

function collectionSources(name: string): readonly string[] {
  if (/^(?:cs|lcsss|icscsc|icstt|ilcsss)/.test(name)) return ['cscode.mf']
  // The Cyrillic fonts of the LH collection.
  return /^(?:wn|rx|l[abcdhl])/.test(name) ? [`${name.slice(0, 2)}codes.mf`] : []
}
