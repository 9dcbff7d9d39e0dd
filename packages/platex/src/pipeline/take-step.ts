import type { Step } from './decide-rerun.ts'
import { canonicalAux, canonicalDigest, latin1 } from './canonical-digest.ts'
import { isTrivial } from './is-trivial.ts'
import type { CompileJob } from './job.ts'
import { listMissedFiles } from './list-missed-files.ts'
import { findRerunPhrase } from './rerun-phrases.ts'
import type { EngineRun, ToolRun } from './run.ts'
import { isVolatile, listEndings, takeState, type State } from './state.ts'
import type { Workspace } from './workspace.ts'

/** Files that TeX writes for a tool and never reads, beside those a tool already took. */
const FOR_TOOLS = /\.(?:bcf|bib|ist|xdy)$/

/**
 * The state before the first pass: what the job or its seed brought of the files that the pass then wrote.
 *
 * Taken after that pass, because only then it is known which of them matter and which lists were opened.
 */
export function firstState(job: CompileJob, { recorder }: EngineRun): State {
  const endings = listEndings(recorder.outputs)
  const brought = new Map([...job.files, ...(job.seed ?? [])])
  const kept = [...brought].filter(([path]) => !isVolatile(path) && (recorder.outputs.has(path) || job.seed?.has(path)))
  return new Map(kept.map(([path, bytes]) => [path, canonicalDigest(path, bytes, endings)]))
}

/** What the decision has to know of a pass and the tools after it. */
export async function takeStep(
  scene: { job: CompileJob; workspace: Workspace },
  done: { before: State; pass: EngineRun; tools: readonly ToolRun[] },
): Promise<Step> {
  const { workspace, job } = scene
  const { before, pass, tools } = done
  const { recorder } = pass
  const logText = latin1(pass.log)
  const missed = listMissedFiles(logText, workspace.folder)
  const tracked = new Set([...before.keys(), ...recorder.outputs, ...tools.flatMap((run) => run.plan.outputs)])
  const paths = [...tracked].filter((path) => !isVolatile(path))
  const after = await takeState(workspace, { paths, written: recorder.outputs })
  const fed = new Set(tools.filter((run) => !run.plan.subject.endsWith('.aux')).map((run) => run.plan.subject))
  const writeOnly = new Set(paths.filter((path) => FOR_TOOLS.test(path) || fed.has(path)))
  const step = {
    before,
    after,
    read: new Set([...recorder.needed, ...missed]),
    writeOnly,
    isDraft: pass.isDraft,
    rerunPhrase: findRerunPhrase(logText),
    hasNewToolOutput: tools.some((run) => run.hasChangedOutput),
  }
  if (before.size > 0 || tools.length > 0) return { ...step, isTrivial: false }
  const left = [...after.keys()].filter((path) => !writeOnly.has(path))
  const auxPaths = left.filter((path) => path.endsWith('.aux'))
  const auxFiles = await Promise.all(auxPaths.map((path) => workspace.read(path)))
  const endings = listEndings(recorder.outputs)
  return {
    ...step,
    isTrivial: isTrivial({
      auxTexts: auxFiles.map((bytes) => canonicalAux(latin1(bytes ?? new Uint8Array()), endings)),
      otherFiles: left.filter((path) => !path.endsWith('.aux')),
      missed: [...missed],
      logText,
      sources: textsOf(job),
    }),
  }
}

function* textsOf(job: CompileJob): Iterable<string> {
  for (const [path, bytes] of job.files) if (/\.(?:tex|sty|cls|ltx|def|cfg|clo)$/.test(path)) yield latin1(bytes)
}
