import { posix } from 'node:path'
import type { BibEngine } from '../../base/types.ts'
import { RULES_NAME, type EngineRow } from '../../engine/engines.ts'
import { latin1 } from '../canonical-digest.ts'
import { joinEnds, keepEnds } from '../log-excerpt.ts'
import { readRecorder, type Recorder } from '../read-recorder.ts'
import { planTools } from '../tools/plan-tools.ts'
import { NO_DEMAND, type ToolDemand } from '../tools/types.ts'
import { viewWorkspace, type WorkspacePlace, type WorkspaceView } from '../workspace-view.ts'
import { readLogFacts, type LogFacts } from '../facts/read-log-facts.ts'
import { readEngineLog, type WaitingTrace } from './restore-log.ts'
import { readMakefileRules } from './read-makefile-rules.ts'

/** Recorder files of large books are smaller than 1 MB. */
const MAX_RECORDER_BYTES = 8 * 1024 * 1024

/** The output of an engine pass to read. */
export interface PassToInspect {
  readonly place: WorkspacePlace
  readonly recorder: EngineRow['recorder']
  /** The preferred bibliography tool; null if no tool can follow. */
  readonly toolsFor: BibEngine | null
  /** Null for a plain start. */
  readonly trace: WaitingTrace | null
}

/** The output of one engine pass. */
export interface PassOutput {
  /** The `.log`, shortened; empty if the run ended before there was one. */
  readonly log: Uint8Array<ArrayBuffer>
  readonly facts: LogFacts
  readonly recorder: Recorder
  /** The tools that the document requires. */
  readonly demand: ToolDemand
}

/** Reads the output of an engine pass in the workspace. */
export async function inspectPass({ place, recorder: kind, toolsFor, trace }: PassToInspect): Promise<PassOutput> {
  const workspace = viewWorkspace(place)
  const ends = await readEngineLog(workspace, trace)
  const logText = ends === null ? '' : latin1(joinEnds(ends))
  const log = ends === null ? new Uint8Array() : keepEnds(ends)
  const facts = readLogFacts(logText, workspace.folder)
  const recorder = await readRecorderFile(kind, workspace)
  const demand =
    toolsFor === null ? NO_DEMAND : await planTools({ workspace, bibliography: toolsFor, recorder, logText })
  return { log, facts, recorder, demand }
}

/** The workspace files that an engine has opened so far, for reading and for writing. */
export async function listOpenedFiles({
  place,
  recorder,
}: Pick<PassToInspect, 'place' | 'recorder'>): Promise<Pick<Recorder, 'inputs' | 'outputs'>> {
  const { inputs, outputs } = await readRecorderFile(recorder, viewWorkspace(place))
  return { inputs, outputs }
}

async function readRecorderFile(kind: EngineRow['recorder'], workspace: WorkspaceView): Promise<Recorder> {
  const { folder, givenFiles } = workspace
  const path = kind === 'fls' ? workspace.outputPath('fls') : posix.join(folder, RULES_NAME)
  const ends = await workspace.readEnds(path, { headBytes: MAX_RECORDER_BYTES, tailBytes: 0 })
  const text = new TextDecoder().decode(ends?.head)
  return kind === 'fls' ? readRecorder(text, folder) : readMakefileRules(text, { folder, givenFiles })
}
