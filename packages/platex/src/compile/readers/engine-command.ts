import type { EngineRow } from '../../engine/engines.ts'
import type { WaitingCommand } from '../../sandbox/types.ts'
import { fontMapFor } from './font-map.ts'
import { documentEnvironment } from '../document-environment.ts'
import { jobPathsOf } from '../job-paths.ts'
import type { ResolvedJob } from '../job.ts'
import { runsGregorio } from '../tools/runs-gregorio.ts'

/** The command of a plain pass that writes pages, for an engine that reads the document ahead. */
export function engineCommand(job: ResolvedJob, row: EngineRow): WaitingCommand {
  const { folder, rootName, jobName } = jobPathsOf(job.rootFile)
  const { synctex, passes } = job
  return {
    program: row.program,
    ...fontMapFor(job, row),
    args: row.arguments({ rootName, jobName, isDraft: false, synctex, passes, runsGregorio: runsGregorio(job) }),
    env: documentEnvironment(job, { folder }),
    folder,
    prompt: null,
  }
}
