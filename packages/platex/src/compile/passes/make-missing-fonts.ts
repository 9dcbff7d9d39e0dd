import { posix } from 'node:path'
import { parseFontRequests } from '../../sandbox/metafont/parse-font-requests.ts'
import { latin1 } from '../canonical-digest.ts'
import type { Budget } from '../budget.ts'
import type { PassContext } from './run.ts'

export const REQUEST_FILE = 'missfont.log'
/** A request has about 60 bytes, and no real document needs a thousand fonts. */
const MAX_REQUEST_BYTES = 64 * 1024

/**
 * Makes the METAFONT fonts that the last run missed and returns their names; empty when repeating the run is useless.
 *
 * Each font is requested once per compile.
 */
export async function makeMissingFonts(context: PassContext, passNumber: number): Promise<readonly string[]> {
  const { job, workspace, budget, requestedFonts } = context
  const path = posix.join(workspace.folder, REQUEST_FILE)
  const requestLog = await workspace.readEnds(path, { headBytes: MAX_REQUEST_BYTES, tailBytes: 0 })
  if (requestLog === null) return []
  await workspace.remove(path)
  const asked = parseFontRequests(latin1(requestLog.head))
  const requests = asked.filter((request) => !requestedFonts.has(keyOf(request)))
  for (const request of requests) requestedFonts.add(keyOf(request))
  if (requests.length === 0) return []
  const reason = `missing fonts: ${listBriefly(requests.map(({ name }) => name))}`
  const program = 'mktextfm'
  const startedAt = performance.now()
  job.onProgress?.({ kind: 'pass-started', passNumber, program, reason })
  const ownSources = [...workspace.givenFiles].filter((file) => file.endsWith('.mf'))
  const make = ({ remainingMs, signal }: Budget): Promise<readonly string[]> =>
    workspace.sandbox.makeFonts({
      requests,
      ownSources: new Set(ownSources.map((file) => posix.basename(file))),
      workspaceDir: workspace.dir,
      folder: workspace.folder,
      remainingMs,
      signal,
    })
  // Shared fonts are made once per installation, in up to 4 s each: counted, a page of Cyrillic would meet its time limit.
  const isUncounted = job.waitsForFonts === true && ownSources.length === 0
  const made = await (isUncounted ? budget.uncounted(make) : make(budget))
  job.onProgress?.({ kind: 'pass-ended', passNumber, program, durationMs: performance.now() - startedAt })
  budget.signal?.throwIfAborted()
  return [...new Set(made)]
}

function keyOf({ program, args, name }: { program: string; args: readonly string[]; name: string }): string {
  return [program, ...args, name].join(' ')
}

/** `larm1000, labx1000 and 3 more`. */
export function listBriefly(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ')
  return names.length <= 3 ? shown : `${shown} and ${names.length - 3} more`
}
