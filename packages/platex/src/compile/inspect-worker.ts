/** The script of the threads that read what documents wrote. */
import { serveTasks } from '../worker/serve-tasks.ts'
import { collectLogs } from './result/collect-logs.ts'
import { diagnosePasses } from './result/diagnose-passes.ts'
import { explainInWorkspace } from './result/explain-in-workspace.ts'
import { readSynctex } from './result/read-synctex.ts'
import { recordPass } from './passes/record-pass.ts'
import { digestOutputs, recordTool } from './tools/record-tool.ts'
import { takeStep } from './passes/take-step.ts'

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
