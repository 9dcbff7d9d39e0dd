/**
 * Caches results of BibTeX and biber by their input: after an edit that changes neither citations nor databases, the
 * bibliography comes from here, even in a new workspace.
 *
 * A result includes the log of the tool, so the diagnostics are the same as after a run.
 */
import { cacheKey, createBoundedCache, type CacheAddress } from '../../base/bounded-cache.ts'
import type { RunReport } from '../../sandbox/types.ts'
import { installationId } from '../installation-id.ts'
import type { CompileJob } from '../job.ts'
import type { Workspace } from '../workspace.ts'
import type { ToolPlan } from './types.ts'

const MIB = 1024 * 1024

interface ToolResult {
  readonly report: RunReport
  /** Workspace-relative path → content; null for a file that the tool did not write. */
  readonly files: ReadonlyMap<string, Uint8Array | null>
}

const results = createBoundedCache<ToolResult>({
  keptMs: 60 * 60_000,
  maxBytes: 64 * MIB,
  maxBytesPerOwner: 8 * MIB,
  maxEntriesPerOwner: 64,
})

/** Runs a tool, or restores the files of an earlier run with the same input. */
export async function runCached(
  plan: ToolPlan,
  { job, workspace }: { readonly job: CompileJob; readonly workspace: Workspace },
  run: () => Promise<RunReport>,
): Promise<RunReport> {
  const address = addressOf(plan, job)
  if (address === null) return run()
  const startedAt = performance.now()
  const kept = results.find(address)
  if (kept !== undefined) {
    for (const [path, bytes] of kept.files)
      await (bytes === null ? workspace.remove(path) : workspace.replace(path, bytes))
    return { ...kept.report, durationMs: performance.now() - startedAt }
  }
  const report = await run()
  if (report.end.kind === 'exited') await keep(address, { plan, report, workspace })
  return report
}

async function keep(
  address: CacheAddress,
  { plan, report, workspace }: { readonly plan: ToolPlan; readonly report: RunReport; readonly workspace: Workspace },
): Promise<void> {
  const files = new Map<string, Uint8Array | null>()
  let sizeBytes = report.stdout.length + report.stderr.length
  for (const path of [...plan.outputs, plan.transcript]) {
    const bytes = await workspace.read(path)
    files.set(path, bytes)
    sizeBytes += bytes?.length ?? 0
  }
  results.save(address, { value: { report, files }, sizeBytes })
}

/** Null if nothing may be cached: for other tools, and for a job without an owner. */
function addressOf(plan: ToolPlan, { tenant, sandbox }: CompileJob): CacheAddress | null {
  if (tenant === undefined || (plan.tool !== 'biber' && plan.tool !== 'bibtex')) return null
  const { tool, args, subject, inputDigest } = plan
  return { owner: tenant, key: cacheKey([installationId(sandbox), tool, ...args, subject, inputDigest]) }
}
