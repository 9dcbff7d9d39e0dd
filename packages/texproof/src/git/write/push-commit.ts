/**
 * Pushes a composed commit to a branch with `git receive-pack`: with quarantine, object checks and size limit, and the
 * branch moves only if it still has the expected commit.
 */
import { buffer } from 'node:stream/consumers'

import { DiskFull, readStorageFailure } from '../../base/storage-failure.ts'
import { composeCommit } from './compose-commit.ts'
import { encodePktLine, flushPkt } from '../protocol/pkt-line.ts'
import { parsePushReport } from '../protocol/push-report.ts'
import { servePack } from '../protocol/serve-pack.ts'
import { removeStaleLocks } from '../refs/stale-locks.ts'
import { isLocked, isMachineFault, isMoved } from '../refs/locked-refs.ts'
import type { PushCommitOutcome, PushedCommit } from '../types.ts'

const timeoutMs = 60_000

type Limit = <Result>(step: () => Promise<Result>) => Promise<Result>

/**
 * Creates the commit and moves the branch to it.
 *
 * @throws Error when git fails otherwise than by refusing.
 */
export async function pushCommit(
  gitDir: string,
  commit: PushedCommit,
  {
    makingDir,
    searchPath,
    limits,
    removeLocks = removeStaleLocks,
  }: {
    readonly makingDir: string
    readonly searchPath: string
    /** Run the two steps that start git. */
    readonly limits: { readonly compose: Limit; readonly push: Limit }
    readonly removeLocks?: typeof removeStaleLocks
  },
): Promise<PushCommitOutcome> {
  const { commitId, pack } = await limits.compose(() => composeCommit(gitDir, commit, { makingDir, searchPath }))
  const push = (): Promise<PushCommitOutcome> =>
    limits.push(() => pushComposed(gitDir, commit, { commitId, pack, searchPath, removeLocks }))
  return commit.around === undefined ? push() : commit.around(commitId, push)
}

async function pushComposed(
  gitDir: string,
  commit: PushedCommit,
  {
    commitId,
    pack,
    searchPath,
    removeLocks,
    isRepeat = false,
  }: {
    readonly commitId: string
    readonly pack: Buffer
    readonly searchPath: string
    readonly removeLocks: typeof removeStaleLocks
    readonly isRepeat?: boolean
  },
): Promise<PushCommitOutcome> {
  const old = commit.from ?? '0'.repeat(commitId.length)
  const command = encodePktLine(`${old} ${commitId} ${commit.ref}\0report-status\n`)
  const served = servePack(gitDir, {
    service: 'receive-pack',
    advertise: false,
    protocol: null,
    signal: AbortSignal.timeout(timeoutMs),
    maxInputBytes: commit.maxBytes,
    searchPath,
  })
  served.stdin.end(Buffer.concat([command, flushPkt, pack]))
  const [report, { exitCode, stderr }] = await Promise.all([buffer(served.stdout), served.exit])
  if (isRepeat || !isLocked(stderr) || (await removeLocks(gitDir)).length === 0)
    return readOutcome(commit, { commitId, report, exitCode, stderr })
  return pushComposed(gitDir, commit, { commitId, pack, searchPath, removeLocks, isRepeat: true })
}

function readOutcome(
  commit: PushedCommit,
  end: { readonly commitId: string; readonly report: Buffer; readonly exitCode: number; readonly stderr: string },
): PushCommitOutcome {
  const { commitId, report, exitCode, stderr } = end
  const lines = parsePushReport(report).map((line) => Buffer.from(line).toString())
  const unpacked = lines[0]
  if (unpacked === undefined) throw new Error(`push commit: git ended with ${exitCode}: ${stderr}`)
  if (readStorageFailure(`${stderr}${unpacked}`) === 'full') throw new DiskFull(`push commit: ${stderr}`)
  if (lines.includes(`ok ${commit.ref}`)) return { kind: 'committed', commitId }
  if (/pack exceeds maximum allowed size/.test(stderr)) return { kind: 'too-large' }
  const reason = unpacked === 'unpack ok' || isMachineFault(stderr) ? null : findRefusal(stderr)
  if (reason !== null) return { kind: 'refused', reason }
  if (unpacked === 'unpack ok' && isMoved(stderr)) return { kind: 'moved' }
  throw new Error(`push commit: ${lines.join(', ')}: ${stderr}`)
}

/**
 * `error: object 12ab…: gitmodulesUrl: disallowed submodule url: -x` → the text after the id; null if git gives no reason,
 * because it was killed.
 */
function findRefusal(stderr: string): string | null {
  const [, fault] = /^(?:error|fatal): (?:object [0-9a-f]+: )?((?!.*died of signal).+)$/m.exec(stderr) ?? []
  return fault ?? null
}
