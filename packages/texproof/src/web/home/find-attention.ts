import type { Deps } from '../../operations/deps.ts'
import type { Build, BuildRecord } from '../../domain/build.ts'
import type { Repository, Token, User } from '../../domain/types.ts'
import { DamagedRefError } from '../../git/refs/damaged-ref.ts'

/** An item that needs the owner's attention; `document` = which one of several. */
export type Attention =
  | {
      readonly kind: 'failed'
      readonly repository: Repository
      readonly build: Build
      readonly document: string | null
    }
  | {
      readonly kind: 'building'
      readonly repository: Repository
      readonly build: BuildRecord
      readonly document: string | null
    }
  | { readonly kind: 'more'; readonly repository: Repository; readonly count: number }
  | { readonly kind: 'token-ends'; readonly token: Token; readonly endsAt: number }

const WEEK_MS = 7 * 86_400_000
/** Builds examined: most of them may be of older commits. */
const LOOKED_AT = 60
/** Items listed of one repository; the others are counted. */
const LISTED_OF_ONE = 3
const LISTED = 9

/**
 * Items in these repositories and the user's tokens that need attention: failed and unfinished builds of the current
 * commits of branches, the newest first, and tokens with a lifetime of more than a week that expire within a week.
 */
export async function findAttention(
  { store, git }: Pick<Deps, 'store' | 'git'>,
  { user, repositories }: { readonly user: User; readonly repositories: readonly Repository[] },
): Promise<readonly Attention[]> {
  const [builds, tokens] = await Promise.all([
    store.builds.listUnwell(
      repositories.map(({ id }) => id),
      { limit: LOOKED_AT },
    ),
    store.tokens.listOfUser(user.id),
  ])
  const current = (await Promise.all(builds.map(async (build) => ((await isOfHead(git, build)) ? [build] : [])))).flat()
  const byRepository = Map.groupBy(current, ({ repositoryId }) => repositoryId)
  const unwell = await Promise.all(
    [...byRepository].slice(0, LISTED).map(([id, found]) => {
      const repository = repositories.find((each) => each.id === id)
      return repository === undefined ? [] : ofOne(store, { repository, builds: found })
    }),
  )
  return [...unwell.flat().slice(0, LISTED), ...tokens.flatMap(ofToken).slice(0, LISTED)]
}

async function ofOne(
  store: Deps['store'],
  { repository, builds }: { readonly repository: Repository; readonly builds: readonly BuildRecord[] },
): Promise<readonly Attention[]> {
  const told = await Promise.all(
    builds.slice(0, LISTED_OF_ONE).map(async (build): Promise<Attention> => {
      // The first error is read only for the few builds listed.
      const whole = build.state === 'failed' ? await store.builds.find(build.id) : null
      const hasMany = (await store.builds.listOfCommit(repository.id, build.commitId)).length > 1
      const place = { repository, document: hasMany ? build.document : null }
      return whole === null ? { kind: 'building', ...place, build } : { kind: 'failed', ...place, build: whole }
    }),
  )
  const count = builds.length - told.length
  return count === 0 ? told : [...told, { kind: 'more', repository, count }]
}

function ofToken(token: Token): readonly Attention[] {
  const { createdAt, expiresAt } = token
  // Short-lived tokens expire as planned.
  if (expiresAt === null || expiresAt - createdAt <= WEEK_MS) return []
  const leftMs = expiresAt - Date.now()
  return leftMs > 0 && leftMs < WEEK_MS ? [{ kind: 'token-ends', token, endsAt: expiresAt }] : []
}

async function isOfHead(git: Deps['git'], { repositoryId, ref, commitId }: BuildRecord): Promise<boolean> {
  try {
    const branch = await git.findBranch(repositoryId, ref.slice('refs/heads/'.length))
    return branch?.commitId === commitId
  } catch (error) {
    // The repository list reports it.
    if (error instanceof DamagedRefError) return false
    throw error
  }
}
