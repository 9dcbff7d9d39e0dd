/** Clients push to several servers while servers are killed; then everything that they acknowledged is checked. */
import { setTimeout as delay } from 'node:timers/promises'

import { eventually } from '../../../../platex/test/support/eventually.ts'
import { openPushingClient, type PushingClient } from './push-until.ts'
import type { Cluster } from './start-cluster.ts'

export interface ClusterRun {
  readonly acknowledged: number
  readonly failed: number
  readonly faults: number
  readonly repositories: number
  readonly builds: number
  /** Repositories whose creation was acknowledged and that do not exist. */
  readonly lostRepositories: readonly string[]
  /** Acknowledged commits that are not in their branch. */
  readonly lost: readonly string[]
  /** Acknowledged commits that are not in the activity of their repository. */
  readonly unrecorded: readonly string[]
  /**
   * Heads of branches with a document that were not built, and documents of a commit with more than one result. A push that
   * is completed while another one moves the same branch may queue a build twice.
   */
  readonly wrongBuilds: readonly string[]
  /** Unfinished pushes and locks that no server has completed. */
  readonly leftOver: readonly string[]
  readonly doctor: { readonly exitCode: number; readonly broken: readonly string[] }
}

const PAPER = { 'main.tex': '\\documentclass{article}\\begin{document}Tides.\\end{document}\n' }
const NOTES = { 'notes.txt': 'No document.\n' }
/** After a push that failed. */
const PAUSE_MS = 200
/** Longer than a killed server counts as alive, and a build lease. */
const RECOVERED_WITHIN_MS = 60_000

/** What is killed: a server, a worker, or all connections to the database. */
export type Fault = 'server' | 'worker' | 'connections'

/** A client creates a repository before every tenth push. */
const CREATES_EVERY = 10

/**
 * Each client pushes `pushes` times to its own branch, and creates a repository now and then; the first ones push a document
 * to `main` of their repository.
 */
export async function runCluster(
  cluster: Cluster,
  options: {
    readonly clients: number
    readonly papers: number
    readonly pushes: number
    /** One after the other, again from the first after the last. */
    readonly faults: readonly Fault[]
    readonly maxFaults: number
    readonly faultEveryMs: number
  },
): Promise<ClusterRun> {
  const clients = await Promise.all(
    Array.from({ length: options.clients }, (_, index) => openClient(cluster, index, options)),
  )
  const over = new AbortController()
  const causing = causeFaults(cluster, { ...options, signal: over.signal })
  const created: string[] = []
  await Promise.all(clients.map((client, index) => work(cluster, client, { index, count: options.pushes, created })))
  over.abort()
  const faults = await causing
  try {
    return { faults, ...(await checkCluster(cluster, { clients, created })) }
  } finally {
    for (const client of clients) client.close()
  }
}

/** Resolves to the number of faults. */
async function causeFaults(
  cluster: Cluster,
  options: {
    readonly faults: readonly Fault[]
    readonly maxFaults: number
    readonly faultEveryMs: number
    readonly signal: AbortSignal
  },
): Promise<number> {
  const { faults, maxFaults, faultEveryMs, signal } = options
  for (let count = 0; count < maxFaults; count += 1) {
    // Rejects when the last push is done.
    const isDue = await delay(faultEveryMs, true, { signal }).catch(() => false)
    if (!isDue) return count
    const fault = faults[count % faults.length]
    if (fault === 'server') await cluster.replaceServer()
    if (fault === 'worker') await cluster.replaceWorker()
    if (fault === 'connections') await cluster.database.query(END_CONNECTIONS)
  }
  return maxFaults
}

async function openClient(
  cluster: Cluster,
  index: number,
  { papers }: { readonly papers: number },
): Promise<PushingClient> {
  const isPaper = index < papers
  // All clients without a document share a repository, so their servers write to it at the same time.
  const name = isPaper ? `paper-${index}` : 'notes'
  await createRepository(cluster, name)
  const remote = `${cluster.balancer.url.replace('//', `//alice:${cluster.token}@`)}/alice/${name}.git`
  return openPushingClient(remote, { branch: isPaper ? 'main' : `notes-${index}`, files: isPaper ? PAPER : NOTES })
}

/** Resolves to whether the creation was acknowledged. */
async function createRepository({ balancer, token }: Cluster, name: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name })
  // Rejects when the server is killed.
  const response = await fetch(`${balancer.url}/api/v3/user/repos`, { method: 'POST', headers, body }).catch(() => null)
  return response?.status === 201
}

/** A push that fails is not repeated: the next one contains its commit. */
async function work(
  cluster: Cluster,
  client: PushingClient,
  { index, count, created }: { readonly index: number; readonly count: number; readonly created: string[] },
): Promise<void> {
  for (let step = 1; step <= count; step += 1) {
    const name = `created-${index}-${step}`
    if (step % CREATES_EVERY === 0 && (await createRepository(cluster, name))) created.push(name)
    if (!(await client.push())) await delay(PAUSE_MS)
  }
  // The last one succeeds, so that the expected head is known.
  for (let attempt = 0; attempt < 100 && !(await client.push()); attempt += 1) await delay(PAUSE_MS)
}

async function checkCluster(
  cluster: Cluster,
  { clients, created }: { readonly clients: readonly PushingClient[]; readonly created: readonly string[] },
): Promise<Omit<ClusterRun, 'faults'>> {
  const list = async (sql: string, values: readonly unknown[] = []): Promise<readonly string[]> =>
    (await cluster.database.query<{ text: string }>(sql, [...values])).rows.map(({ text }) => text)
  const leftOver = await eventually(() => list(LEFT_OVER), {
    within: RECOVERED_WITHIN_MS,
    until: (found) => found.length === 0,
  }).catch(() => list(LEFT_OVER))
  const acknowledged = clients.flatMap((client) => client.acknowledged)
  const existing = new Set(await list("select name as text from repository where state = 'ready'"))
  const recorded = new Set(await list('select new_commit_id as text from push'))
  const lost = (await Promise.all(clients.map((client) => client.findLost()))).flat()
  const heads = clients.filter(({ branch }) => branch === 'main').map((client) => client.acknowledged.at(-1) ?? '')
  const { exitCode, stdout } = await cluster.run('doctor', '--deep')
  return {
    acknowledged: acknowledged.length,
    repositories: created.length,
    lostRepositories: created.filter((name) => !existing.has(name)),
    failed: clients.flatMap(({ failures }) => failures).length,
    builds: (await list("select 'build' as text from build where state = 'succeeded'")).length,
    lost,
    unrecorded: acknowledged.filter((commitId) => !recorded.has(commitId)),
    wrongBuilds: [...(await list(UNBUILT, [heads])), ...(await list(BUILT_DIFFERENTLY))],
    leftOver,
    doctor: { exitCode, broken: stdout.split('\n').filter((line) => line.startsWith('✗')) },
  }
}

const END_CONNECTIONS = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'texproof'"
const LEFT_OVER = `
  select 'push ' || id as text from push_journal
  union all select 'lock ' || repository_id from repository_lock
  union all select state || ' build ' || id from build where state in ('queued', 'running')`
const UNBUILT = `
  select head as text from unnest($1::text[]) as head
   where not exists (select 1 from build where commit_id = head and state = 'succeeded')`
const BUILT_DIFFERENTLY = `
  select commit_id || ' ' || document as text from build where state = 'succeeded'
   group by repository_id, ref, commit_id, document having count(distinct pdf_id) > 1`
