/**
 * A host with three pages of everything, and the tour of it for real clients: the endpoints of `touredEndpoints`, every
 * page, every class of error. All clients report in the same format, so one expectation covers them all.
 */
import { runProgram } from './programs/run-program.ts'
import { openApiHost } from './hosts/api-host.ts'
import type { ApiHost, ApiHostOptions } from './hosts/api-host.ts'
import { seedCommit, seedRefs } from './git/seed-refs.ts'

/** The host and the parameters of a client. */
export interface TourHost {
  readonly host: ApiHost
  /** Environment variables of the client programs. */
  readonly env: Readonly<Record<string, string>>
  /** The expected report of a tour that creates a repository of this name. */
  expected(created: string): Tour
}

/** Report of a client. */
export interface Tour {
  readonly login: string
  readonly profile: string
  /** Number of own repositories over all pages. */
  readonly ownCount: number
  readonly publicCount: number
  readonly repository: string
  readonly mayPush: boolean
  /** `name` of the first and the last, and how many, over all pages. */
  readonly branches: readonly [first: string, last: string, count: number]
  readonly tags: readonly [first: string, last: string, count: number]
  /** Name and commit of a branch with a slash in its name. */
  readonly branch: readonly [name: string, commitId: string]
  readonly created: string
  /** Statuses, in order: invalid token, missing scope, hidden repository, unknown user, invalid name. */
  readonly errors: readonly number[]
}

const count = 65

/** Opens the host of the tour. */
export async function openTourHost(options: ApiHostOptions = {}): Promise<TourHost> {
  const host = await openApiHost(options)
  const alice = await host.addUser('alice')
  const bob = await host.addUser('bob')
  await host.addRepository(bob.user, 'hidden', { visibility: 'private' })
  const tides = await host.addRepository(alice.user, 'tides')
  const gitDir = host.git.gitDir(tides.id)
  const commitId = await seedCommit(gitDir, 'feature/a')
  const numbers = Array.from({ length: count - 1 }, (_, index) => index + 1)
  await seedRefs(
    gitDir,
    [...numbers.map((n) => `refs/heads/x${n}`), ...numbers.map((n) => `refs/tags/v1.${n}`)],
    commitId,
  )
  for (const n of numbers) {
    // One is private, so that the two lists differ.
    await host.addRepository(alice.user, `paper-${n}`, { visibility: n === 1 ? 'private' : 'public' })
  }
  return {
    host,
    env: {
      BASE: host.baseUrl,
      TOKEN: alice.token,
      READ_TOKEN: await host.addToken(alice.user, []),
    },
    expected: (created) => ({
      login: 'alice',
      profile: 'bob',
      ownCount: count,
      publicCount: count - 1,
      repository: 'alice/tides',
      mayPush: true,
      branches: ['feature/a', 'x9', count],
      tags: ['v1.64', 'v1.1', count - 1],
      branch: ['feature/a', commitId],
      created: `alice/${created}`,
      errors: [401, 403, 404, 404, 422],
    }),
  }
}

/** Why a client cannot be run here, for `skip`; false if it can. */
export async function missingProgram(command: string, args: readonly string[]): Promise<string | false> {
  const outcome = await runProgram(command, args).catch(() => null)
  return outcome?.exitCode === 0 ? false : `${[command, ...args].join(' ')} does not run here`
}

/** Runs a client's program and reads its report. @throws Error with its output if it fails. */
export async function runTour(
  command: string,
  args: readonly string[],
  options: { readonly input: string; readonly env: Readonly<Record<string, string>> },
): Promise<unknown> {
  const outcome = await runProgram(command, args, options)
  if (outcome.exitCode !== 0) throw new Error(`${command}: ${outcome.stderr}`)
  return JSON.parse(outcome.stdout)
}
