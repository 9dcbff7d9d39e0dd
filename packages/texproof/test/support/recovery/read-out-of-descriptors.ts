/**
 * Reads a repository without free file descriptors, then again with free ones, and prints both. Start it with a low
 * limit: `read-out-of-descriptors.ts ROOT COMMIT_ID`.
 */
import { closeSync, openSync } from 'node:fs'

import { openGitStore } from '../../../src/git/open-git-store.ts'

const [root = '', commitId = ''] = process.argv.slice(2)
const store = await openGitStore({ root })
const taken: number[] = []
try {
  for (;;) taken.push(openSync('/dev/null', 'r'))
} catch {
  // No descriptor is free.
}
const reads = {
  hasRepository: () => store.hasRepository(1),
  listBranches: () => store.listBranches(1),
  listTags: () => store.listTags(1),
  findCommit: async () => (await store.findCommit(1, commitId))?.commitId,
  countCommits: () => store.countCommits(1),
  readPatch: async () => (await store.readPatch(1, { fromCommitId: null, toCommitId: commitId })).kind,
  setDefaultBranch: () => store.setDefaultBranch(1, 'main'),
  changeRefs: () => store.changeRefs(1, [{ ref: 'refs/heads/new', from: null, to: commitId }]),
  fetch: () => serve('upload-pack'),
  push: () => serve('receive-pack'),
}

async function serve(service: 'upload-pack' | 'receive-pack'): Promise<number> {
  const limits = { protocol: null, advertise: true, signal: AbortSignal.timeout(10_000), maxInputBytes: 1_000_000 }
  const served = store.servePack(1, { service, ...limits })
  served.stdout.resume()
  return (await served.exit).exitCode
}

async function readAll(): Promise<Record<string, unknown>> {
  const outcomes: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(reads))
    outcomes[name] = await read().then(
      (value) => value ?? null,
      () => 'failed',
    )
  return outcomes
}

const starved = await readAll()
for (const descriptor of taken) closeSync(descriptor)
const fed = await readAll()
await store.close()
process.stdout.write(`${JSON.stringify({ starved, fed })}\n`)
