import type { EngineInvocation, EngineRow } from '../../engine/engines.ts'
import type { WaitingCommand } from '../../sandbox/types.ts'
import { fontMapFor } from './font-map.ts'
import { latin1 } from '../canonical-digest.ts'
import { documentEnvironment } from '../document-environment.ts'
import { jobPathsOf } from '../job-paths.ts'
import type { ResolvedJob } from '../job.ts'
import { runsGregorio } from '../tools/runs-gregorio.ts'

/** A longer first line is a comment. */
const MAX_LINE_BYTES = 200

/** The command of a plain pass that writes pages, for an engine that reads the document ahead. */
export function engineCommand(job: ResolvedJob, row: EngineRow): WaitingCommand {
  const { folder } = jobPathsOf(job.rootFile)
  return {
    program: row.program,
    ...fontMapFor(job, row),
    args: row.arguments(invocationOf(job, { isDraft: false })),
    env: documentEnvironment(job, { folder }),
    folder,
    prompt: null,
  }
}

/** The parameters of a pass. */
export function invocationOf(job: ResolvedJob, { isDraft }: Pick<EngineInvocation, 'isDraft'>): EngineInvocation {
  const { rootName, jobName } = jobPathsOf(job.rootFile)
  const { synctex, passes, files, rootFile } = job
  const root = files.get(rootFile)
  const translateFile = root === undefined ? null : translateFileOf(root)
  return { rootName, jobName, isDraft, synctex, passes, runsGregorio: runsGregorio(job), translateFile }
}

/**
 * The table by which TeX translates the characters of a document, as its first line selects: `%& --translate-file=il2-pl`. Null
 * without such a line. Polish and Czech documents of before 2005 have one.
 */
export function translateFileOf(source: Uint8Array): string | null {
  const [line = ''] = latin1(source.subarray(0, MAX_LINE_BYTES)).split(/[\r\n]/, 1)
  return /^%&(?:.*[ \t])?--?translate-file(?:=|[ \t]+)([\w-]{1,40})(?:\.tcx)?(?:[ \t]|$)/.exec(line)?.[1] ?? null
}
