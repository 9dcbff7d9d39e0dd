/** The script of the threads that read what documents wrote. */
import { serveTasks } from '../worker.ts'
import { collectLogs } from './collect-logs.ts'
import { diagnosePasses } from './diagnose-passes.ts'
import { explainInWorkspace } from './explain-in-workspace.ts'
import { readSynctex } from './read-synctex.ts'
import { recordPass } from './record-pass.ts'
import { digestOutputs, recordTool } from './record-tool.ts'
import { takeStep } from './take-step.ts'

export const inspectTasks = {
  recordPass,
  recordTool,
  digestOutputs,
  takeStep,
  diagnosePasses,
  explainInWorkspace,
  collectLogs,
  readSynctex,
}

serveTasks(inspectTasks)
