import { eventually } from '../../../../platex/test/support/eventually.ts'
import type { Cluster } from './start-cluster.ts'

/** Data that a cluster must not contain when nothing changes any more. */
export interface Inspection {
  /**
   * Heads of branches with a document that were not built, and documents of a commit with more than one result. A push that
   * is completed while another one moves the same branch may queue a build twice.
   */
  readonly wrongBuilds: readonly string[]
  /** Pushes, locks and uploads that no server has completed. A push to a repository in the trash waits there. */
  readonly leftOver: readonly string[]
  readonly doctorSeconds: number
  readonly doctor: { readonly exitCode: number; readonly broken: readonly string[] }
}

/** Longer than a killed server counts as alive, and a build lease. */
const RECOVERED_WITHIN_MS = 60_000

/** Waits until the servers have completed what was interrupted; `heads` are commits with a document. */
export async function inspectCluster(cluster: Cluster, heads: readonly string[]): Promise<Inspection> {
  const { list } = cluster
  const listLeftOver = async () => [...(await list(LEFT_OVER)), ...(await cluster.listUploads())]
  const leftOver = await eventually(listLeftOver, {
    within: RECOVERED_WITHIN_MS,
    until: (found) => found.length === 0,
  }).catch(listLeftOver)
  const startedAt = performance.now()
  const { exitCode, stdout } = await cluster.run('doctor', '--deep')
  const doctorSeconds = Math.round((performance.now() - startedAt) / 1_000)
  return {
    wrongBuilds: [...(await list(UNBUILT, [heads])), ...(await list(BUILT_DIFFERENTLY))],
    leftOver,
    doctorSeconds,
    doctor: { exitCode, broken: stdout.split('\n').filter((line) => line.startsWith('✗')) },
  }
}

const LEFT_OVER = `
  select 'push ' || push_journal.id as text from push_journal
    join repository on repository.id = repository_id and repository.state = 'ready'
  union all select 'lock ' || repository_id from repository_lock
  union all select state || ' build ' || id from build where state in ('queued', 'running')`
const UNBUILT = `
  select head as text from unnest($1::text[]) as head
   where not exists (select 1 from build where commit_id = head and state = 'succeeded')`
const BUILT_DIFFERENTLY = `
  select commit_id || ' ' || document as text from build where state = 'succeeded'
   group by repository_id, ref, commit_id, document having count(distinct pdf_id) > 1`
