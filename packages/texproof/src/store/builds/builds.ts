import type { Kysely } from 'kysely'

import type { Schema } from '../schema.ts'
import type { ReadCache } from '../sqlite/read-cache.ts'
import { createBuildChanges, type BuildChanges } from './build-changes.ts'
import { createBuildLookups, type BuildLookups } from './build-lookups.ts'
import { createBuildRetention, type BuildRetention } from './build-retention.ts'

/** The builds table. */
export interface Builds extends BuildChanges, BuildLookups, BuildRetention {}

/** Creates the builds table of a database. */
export function createBuilds(db: Kysely<Schema>, read: ReadCache): Builds {
  return { ...createBuildChanges(db), ...createBuildLookups(db, read), ...createBuildRetention(db) }
}
