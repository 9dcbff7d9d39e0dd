import { canonicalAux, canonicalDigest, latin1 } from '../canonical-digest.ts'
import type { PassRecord } from './decide-rerun.ts'
import { isTrivial } from './is-trivial.ts'
import type { LogFacts } from '../facts/read-log-facts.ts'
import type { Recorder } from '../read-recorder.ts'
import { isVolatile, listEndings, readState, type State } from './state.ts'
import { viewWorkspace, type WorkspacePlace, type WorkspaceView } from '../workspace-view.ts'

/** Files that TeX writes for a tool and never reads, in addition to the subjects of tools that ran. */
const FOR_TOOLS = /\.(?:bcf|bib|ist|xdy)$/

/** One engine pass and the tools after it, as plain data. */
export interface FinishedPass {
  readonly place: WorkspacePlace
  /** The state before it; null for a first pass. */
  readonly before: State | null
  /** Job files and warm-start files that a first pass may have replaced. */
  readonly brought: ReadonlyMap<string, Uint8Array>
  readonly isDraft: boolean
  readonly recorder: Recorder
  readonly facts: LogFacts
  readonly tools: readonly ToolAfterPass[]
}

/** A tool that ran after the pass. */
export interface ToolAfterPass {
  readonly subject: string
  readonly outputs: readonly string[]
  readonly hasChangedOutput: boolean
}

/** Records what a pass and the tools after it read and wrote. */
export async function recordPass({ place, recorder, facts, tools, ...pass }: FinishedPass): Promise<PassRecord> {
  const workspace = viewWorkspace(place)
  const endings = listEndings(recorder.outputs)
  const before = pass.before ?? firstState(pass.brought, endings)
  const tracked = new Set([...before.keys(), ...recorder.outputs, ...tools.flatMap((tool) => tool.outputs)])
  const paths = [...tracked].filter((path) => !isVolatile(path))
  const after = await readState(workspace, { paths, written: recorder.outputs })
  const fed = new Set(tools.filter((tool) => !tool.subject.endsWith('.aux')).map((tool) => tool.subject))
  const writeOnly = new Set(paths.filter((path) => FOR_TOOLS.test(path) || fed.has(path)))
  const step = {
    before,
    after,
    read: new Set([...recorder.needed, ...facts.missed]),
    writeOnly,
    isDraft: pass.isDraft,
    rerunPhrase: facts.rerunPhrase,
    hasNewToolOutput: tools.some((tool) => tool.hasChangedOutput),
  }
  if (before.size > 0 || tools.length > 0) return { ...step, isTrivial: false }
  const left = [...after.keys()].filter((path) => !writeOnly.has(path))
  const auxPaths = left.filter((path) => path.endsWith('.aux'))
  const auxFiles = await Promise.all(auxPaths.map((path) => workspace.read(path)))
  return {
    ...step,
    isTrivial: await isTrivial({
      auxTexts: auxFiles.map((bytes) => canonicalAux(latin1(bytes ?? new Uint8Array()), endings)),
      otherFiles: left.filter((path) => !path.endsWith('.aux')),
      missed: [...facts.missed],
      isContent: facts.isContent,
      sources: readSources(workspace),
    }),
  }
}

/**
 * The state before the first pass: job files and warm-start files that the pass then wrote.
 *
 * Computed after that pass, because only then it is known which files matter and which lists were opened.
 */
function firstState(brought: ReadonlyMap<string, Uint8Array>, openedLists: ReadonlySet<string>): State {
  return new Map([...brought].map(([path, bytes]) => [path, canonicalDigest(path, bytes, openedLists)]))
}

async function* readSources(workspace: WorkspaceView): AsyncIterable<string> {
  for (const path of workspace.givenFiles) {
    if (/\.(?:tex|sty|cls|ltx|def|cfg|clo)$/.test(path)) yield latin1((await workspace.read(path)) ?? new Uint8Array())
  }
}
