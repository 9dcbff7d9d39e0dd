import type { Build } from '../../domain/build.ts'

/** A build that waits, on behalf of an owner. */
export interface WaitingBuild {
  readonly build: Build
  readonly ownerId: string
}

/** Builds that wait, found by id, ref, repository and owner without a walk through all of them. */
export interface WaitingBuilds<Entry extends WaitingBuild> {
  readonly size: number
  /** Adds builds in front of all others, in this order; or behind them. */
  add(entries: readonly Entry[], place: 'front' | 'back'): void
  /** False if it does not wait. */
  remove(entry: Entry): boolean
  find(buildId: number): Entry | null
  /** Waiting builds of a ref, in no particular order. */
  listOfRef(build: Pick<Build, 'repositoryId' | 'ref'>): readonly Entry[]
  listOfRepository(repositoryId: number): readonly Entry[]
  /** The builds of every owner who waits, in no particular order. */
  owners(): ReadonlyMap<string, ReadonlySet<Entry>>
  /** Lower numbers are nearer to the front. */
  positionOf(entry: Entry): number
  /** Removes all and returns them. */
  clear(): readonly Entry[]
}

/** Creates an empty list. */
export function createWaitingBuilds<Entry extends WaitingBuild>(): WaitingBuilds<Entry> {
  const byId = new Map<number, Entry>()
  const byRef = createIndex<Entry>(({ build }) => refKey(build))
  const byRepository = createIndex<Entry>(({ build }) => String(build.repositoryId))
  const byOwner = createIndex<Entry>(({ ownerId }) => ownerId)
  const positions = new Map<Entry, number>()
  let front = 0
  let back = 0

  function remove(entry: Entry): boolean {
    if (!positions.delete(entry)) return false
    byId.delete(entry.build.id)
    for (const index of [byRef, byRepository, byOwner]) index.remove(entry)
    return true
  }

  return {
    get size() {
      return positions.size
    },
    add(entries, place) {
      if (place === 'front') front -= entries.length
      for (const [at, entry] of entries.entries()) {
        positions.set(entry, place === 'front' ? front + at : back++)
        byId.set(entry.build.id, entry)
        for (const index of [byRef, byRepository, byOwner]) index.add(entry)
      }
    },
    remove,
    find: (buildId) => byId.get(buildId) ?? null,
    listOfRef: (build) => [...(byRef.all.get(refKey(build)) ?? [])],
    listOfRepository: (repositoryId) => [...(byRepository.all.get(String(repositoryId)) ?? [])],
    owners: () => byOwner.all,
    positionOf: (entry) => positions.get(entry) ?? 0,
    clear() {
      const entries = [...positions.keys()]
      for (const entry of entries) remove(entry)
      return entries
    },
  }
}

function refKey({ repositoryId, ref }: Pick<Build, 'repositoryId' | 'ref'>): string {
  return `${repositoryId} ${ref}`
}

function createIndex<Entry>(keyOf: (entry: Entry) => string) {
  const all = new Map<string, Set<Entry>>()
  return {
    all,
    add(entry: Entry): void {
      const key = keyOf(entry)
      const known = all.get(key)
      if (known === undefined) all.set(key, new Set([entry]))
      else known.add(entry)
    },
    remove(entry: Entry): void {
      const key = keyOf(entry)
      const known = all.get(key)
      known?.delete(entry)
      if (known?.size === 0) all.delete(key)
    },
  }
}
