/** Authors change a cluster while parts of it fail; then everything that was acknowledged is compared with what it shows. */
import { setTimeout as delay } from 'node:timers/promises'

import { addClusterUser } from './add-cluster-user.ts'
import type { Answers } from './author-session.ts'
import { openAuthor, type Author } from './author.ts'
import { causeFaults, type Fault } from './cause-faults.ts'
import { createFacts, type Facts } from './facts.ts'
import { inspectCluster, type Inspection } from './inspect-cluster.ts'
import { readFact } from './read-fact.ts'
import type { Cluster } from './start-cluster.ts'

export interface OperationsRun extends Inspection {
  readonly operations: number
  readonly acknowledged: number
  /** Answers that did not acknowledge, by cause. */
  readonly others: Readonly<Record<string, number>>
  /** Errors that clients reported for connections that ended without an answer. */
  readonly cuts: readonly string[]
  readonly wrong: readonly string[]
  readonly faults: number
  /** The last output of servers that have ended by themselves. */
  readonly crashes: readonly string[]
  /** Answers of other servers a second after a change. */
  readonly visible: number
  /** Those of them that did not show it. */
  readonly late: readonly string[]
  /** Facts that are compared at the end. */
  readonly facts: number
  readonly lost: readonly string[]
  /** Acknowledged pushes that are not in the activity of their repository, and do not wait with it in the trash. */
  readonly unrecorded: readonly string[]
  readonly builds: number
}

export interface OperationsOptions {
  readonly authors: number
  /** Authors who push a document. */
  readonly papers: number
  /** Number of operations of all authors together. */
  readonly operations: number
  readonly faults: readonly Fault[]
  readonly maxFaults: number
  readonly faultEveryMs: number
}

const PASSWORD = 'nine trees by the river'
const PAPER = { 'main.tex': '\\documentclass{article}\\begin{document}Tides.\\end{document}\n' }
const NOTES = { 'notes.txt': 'No document.\n' }
/** A push that could not be recorded at once, and whose repository is in the trash by then, is recorded when it is restored. */
const RECORDED = `
  select new_commit_id as text from push
  union all select ref_update ->> 'newCommitId' from push_journal
    join repository on repository.id = repository_id and repository.state = 'trashed'
    cross join json_array_elements(updates::json) as ref_update`
/** An author asks all servers for one of so many changes; not a divisor of its round, so each kind has its turn. */
const CHECKS_EVERY = 19
const VISIBLE_WITHIN_MS = 1_000
const READERS = 8

interface Visibility {
  visible: number
  readonly late: string[]
}

/** Runs until all operations are done. */
export async function runOperations(cluster: Cluster, options: OperationsOptions): Promise<OperationsRun> {
  const facts = createFacts()
  const answers: Answers = { acknowledged: 0, others: new Map(), cuts: [], wrong: [] }
  const authors = await openAuthors(cluster, { ...options, facts, answers })
  const over = new AbortController()
  const causing = causeFaults(cluster, { ...options, signal: over.signal })
  const visibility: Visibility = { visible: 0, late: [] }
  const each = Math.ceil(options.operations / options.authors)
  await Promise.all(authors.map((author) => work(cluster, author, { each, facts, visibility })))
  over.abort()
  const faults = await causing
  try {
    const heads = authors.slice(0, options.papers).map((author) => facts.valueOf(`branch ${author.repository()}`))
    const inspection = await inspectCluster(
      cluster,
      heads.filter((head) => head !== null),
    )
    const recorded = new Set(await cluster.list(RECORDED))
    const pushed = authors.flatMap((author) => author.pushed)
    return {
      operations: each * authors.length,
      acknowledged: answers.acknowledged,
      others: Object.fromEntries(answers.others),
      cuts: answers.cuts,
      wrong: answers.wrong.map((answer) => withLog(cluster, answer)),
      faults,
      crashes: cluster.crashes,
      ...visibility,
      facts: facts.list().length,
      lost: await findLost(cluster, facts),
      unrecorded: pushed.filter((commitId) => !recorded.has(commitId)),
      builds: (await cluster.list("select 'build' as text from build where state = 'succeeded'")).length,
      ...inspection,
    }
  } finally {
    for (const author of authors) author.close()
  }
}

/** The answer, and what the server logged of its request. */
function withLog(cluster: Cluster, answer: string): string {
  const requestId = /Request (\S+)/.exec(answer)?.[1]
  return requestId === undefined ? answer : [answer, ...cluster.findInOutput(requestId)].join('\n')
}

async function openAuthors(
  cluster: Cluster,
  options: OperationsOptions & { readonly facts: Facts; readonly answers: Answers },
): Promise<readonly Author[]> {
  const { facts, answers } = options
  const open = async (index: number): Promise<Author> => {
    const login = `alice-${index}`
    const token = await addClusterUser(cluster, login, PASSWORD)
    const files = index < options.papers ? PAPER : NOTES
    return openAuthor({ origin: cluster.balancer.url, login, password: PASSWORD, token, files, facts, answers })
  }
  const authors: Author[] = []
  for (let index = 0; index < options.authors; index += 1) authors.push(await open(index))
  return authors
}

async function work(
  cluster: Cluster,
  author: Author,
  run: { readonly each: number; readonly facts: Facts; readonly visibility: Visibility },
): Promise<void> {
  for (let step = 1; step <= run.each; step += 1) {
    const fact = await author.step()
    if (fact === null || step % CHECKS_EVERY !== 0) continue
    const value = run.facts.valueOf(fact)
    await delay(VISIBLE_WITHIN_MS)
    const seen = await Promise.all(cluster.servers.map(({ url }) => readFact(url, fact)))
    for (const shown of seen.filter((each) => each !== null)) {
      run.visibility.visible += 1
      if (shown !== value) run.visibility.late.push(`${run.facts.describe(fact)}, shown is ${shown}`)
    }
  }
}

/** Asks for every fact once. */
export async function findLost({ balancer }: Pick<Cluster, 'balancer'>, facts: Facts): Promise<readonly string[]> {
  const open = [...facts.list()]
  const lost: string[] = []
  const read = async (): Promise<void> => {
    for (let fact = open.pop(); fact !== undefined; fact = open.pop()) {
      const value = await readFact(balancer.url, fact)
      if (value === null || !facts.isPossible(fact, value))
        lost.push(`${facts.describe(fact)}, shown is ${value ?? 'an error'}`)
    }
  }
  await Promise.all(Array.from({ length: READERS }, read))
  return lost
}
