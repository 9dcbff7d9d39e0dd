/** Clients push to several servers while servers are killed; then everything that they acknowledged is checked. */
import { setTimeout as delay } from 'node:timers/promises'

import { eventually } from '../../../../platex/test/support/eventually.ts'
import { openPushingClient, type PushingClient } from './push-until.ts'
import type { Cluster } from './start-cluster.ts'

export interface ClusterRun {
  readonly acknowledged: number
  readonly failed: number
  readonly kills: number
  readonly builds: number
  /** Acknowledged commits that are not in their branch. */
  readonly lost: readonly string[]
  /** Acknowledged commits that are not in the activity of their repository. */
  readonly unrecorded: readonly string[]
  /** Heads of branches with a document that were not built, and documents that were built more than once. */
  readonly wrongBuilds: readonly string[]
  /** Unfinished pushes and locks that no server has completed. */
  readonly leftOver: readonly string[]
  readonly doctor: { readonly exitCode: number; readonly broken: readonly string[] }
}

const PAPER = { 'main.tex': '\\documentclass{article}\\begin{document}Tides.\\end{document}\n' }
const NOTES = { 'notes.txt': 'No document.\n' }
/** Longer than a killed server counts as alive, and a build lease. */
const RECOVERED_WITHIN_MS = 60_000

/** Each client pushes `pushes` times to its own branch; the first ones push a document to `main` of their repository. */
export async function runCluster(
  cluster: Cluster,
  options: {
    readonly clients: number
    readonly papers: number
    readonly pushes: number
    readonly kills: number
    readonly killEveryMs: number
  },
): Promise<ClusterRun> {
  const clients = await Promise.all(
    Array.from({ length: options.clients }, (_, index) => openClient(cluster, index, options)),
  )
  const over = new AbortController()
  const killing = killServers(cluster, { ...options, signal: over.signal })
  await Promise.all(clients.map((client) => pushAll(client, options.pushes)))
  over.abort()
  const kills = await killing
  try {
    return { kills, ...(await checkCluster(cluster, clients)) }
  } finally {
    for (const client of clients) client.close()
  }
}

/** Kills the oldest server again and again; resolves to the number of kills. */
async function killServers(
  cluster: Cluster,
  options: { readonly kills: number; readonly killEveryMs: number; readonly signal: AbortSignal },
): Promise<number> {
  const { kills, killEveryMs, signal } = options
  for (let count = 0; count < kills; count += 1) {
    // Rejects when the last push is done.
    const isDue = await delay(killEveryMs, true, { signal }).catch(() => false)
    const [oldest] = cluster.servers
    if (!isDue || oldest === undefined) return count
    await cluster.replace(oldest)
  }
  return kills
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

/** Exists already for all but the first client of a repository. */
async function createRepository({ balancer, token }: Cluster, name: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name })
  await fetch(`${balancer.url}/api/v3/user/repos`, { method: 'POST', headers, body })
}

/** A push that fails is not repeated: the next one contains its commit. */
async function pushAll(client: PushingClient, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) if (!(await client.push())) await delay(200)
  // The last one succeeds, so that the expected head is known.
  for (let attempt = 0; attempt < 100 && !(await client.push()); attempt += 1) await delay(200)
}

async function checkCluster(cluster: Cluster, clients: readonly PushingClient[]): Promise<Omit<ClusterRun, 'kills'>> {
  const list = async (sql: string, values: readonly unknown[] = []): Promise<readonly string[]> =>
    (await cluster.database.query<{ text: string }>(sql, [...values])).rows.map(({ text }) => text)
  const leftOver = await eventually(() => list(LEFT_OVER), {
    within: RECOVERED_WITHIN_MS,
    until: (found) => found.length === 0,
  }).catch(() => list(LEFT_OVER))
  const acknowledged = clients.flatMap((client) => client.acknowledged)
  const recorded = new Set(await list('select new_commit_id as text from push'))
  const lost = (await Promise.all(clients.map((client) => client.findLost()))).flat()
  const heads = clients.filter(({ branch }) => branch === 'main').map((client) => client.acknowledged.at(-1) ?? '')
  const { exitCode, stdout } = await cluster.run('doctor', '--deep')
  return {
    acknowledged: acknowledged.length,
    failed: clients.flatMap(({ failures }) => failures).length,
    builds: (await list("select 'build' as text from build where state = 'succeeded'")).length,
    lost,
    unrecorded: acknowledged.filter((commitId) => !recorded.has(commitId)),
    wrongBuilds: [...(await list(UNBUILT, [heads])), ...(await list(BUILT_TWICE))],
    leftOver,
    doctor: { exitCode, broken: stdout.split('\n').filter((line) => line.startsWith('✗')) },
  }
}

const LEFT_OVER = `
  select 'push ' || id as text from push_journal
  union all select 'lock ' || repository_id from repository_lock
  union all select state || ' build ' || id from build where state in ('queued', 'running')`
const UNBUILT = `
  select head as text from unnest($1::text[]) as head
   where not exists (select 1 from build where commit_id = head and state = 'succeeded')`
const BUILT_TWICE = `
  select commit_id || ' ' || document as text from build where state = 'succeeded'
   group by repository_id, ref, commit_id, document having count(*) > 1`
