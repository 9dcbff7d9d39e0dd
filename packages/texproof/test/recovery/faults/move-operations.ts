/** Moves of a stopped host that is beside the one of the setting: its database to PostgreSQL and back, its PDFs to a bucket. */
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import { moveToBucket, moveToDisk } from '../../../src/cli/move/move-blobs.ts'
import { moveToPostgres, moveToSqlite, type Moved } from '../../../src/cli/move/move-database.ts'
import { useSealingKey } from '../../../src/cli/config/use-sealing-key.ts'
import type { BucketAddress } from '../../../src/config/parse-bucket-url.ts'
import { listCachedFiles } from '../../../src/papers/cache/evict-cache.ts'
import { checkCopy } from '../../../src/store/postgres/load-postgres.ts'
import { openStore } from '../../../src/store/store.ts'
import { createPostgresDatabase, dropPostgresDatabase } from '../../support/database/test-database.ts'
import type { FaultOperation } from './fault-operations.ts'
import type { FaultContext } from './fault-setting.ts'

export const moveOperations: readonly FaultOperation[] = [
  {
    name: 'move to PostgreSQL',
    prepare: makeStoppedHost,
    run: async (context) => (await toPostgres(context)).contents.length > 0,
    async check(context) {
      await checkCopy(originalIn(context), (await toPostgres(context)).contents)
      await dropDatabase(context)
    },
    isDone: async (context) => !existsSync(join(hostIn(context), 'texproof.db')),
  },
  {
    name: 'move to SQLite',
    async prepare(context) {
      await makeStoppedHost(context)
      await toPostgres(context)
    },
    run: async (context) => (await toSqlite(context)).contents.length > 0,
    async check(context) {
      const { contents } = await toSqlite(context)
      await checkCopy(originalIn(context), contents)
      await checkCopy(join(hostIn(context), 'texproof.db'), contents)
      await dropDatabase(context)
    },
    isDone: async (context) => existsSync(join(hostIn(context), 'texproof.db')),
  },
  {
    name: 'move to a bucket',
    run: async (context) => (await toBucket(context)).fileCount > 0,
    async check(context) {
      const { dataDir } = context.deps.config
      const files = await listCachedFiles(join(dataDir, 'cache', 'pdf'))
      await toBucket(context)
      const copyDir = join(dataDir, 'copy')
      await moveToDisk({ dataDir: copyDir, address: bucketOf(context), onFile: () => {} })
      assert.ok(files.length > 0)
      for (const { path } of files)
        assert.ok(readFileSync(path).equals(readFileSync(path.replace(dataDir, copyDir))), `${path} differs`)
    },
    isDone: async () => true, // What is in the bucket is checked after each fault.
  },
]

/** Whether the machine has what an operation needs. */
export function canMove(name: string, { postgresUrl }: { readonly postgresUrl: string | null }): boolean {
  return postgresUrl !== null || !['move to PostgreSQL', 'move to SQLite'].includes(name)
}

const hostIn = ({ deps }: Pick<FaultContext, 'deps'>): string => join(deps.config.dataDir, 'moved-host')
const originalIn = (context: FaultContext): string => join(context.deps.config.dataDir, 'original.db')
const urlFileIn = (context: FaultContext): string => join(context.deps.config.dataDir, 'moved-url')

/** Creates a stopped host with a database of its own to move to, and a copy of its database that nothing changes. */
async function makeStoppedHost(context: FaultContext): Promise<void> {
  const { deps, targets } = context
  if (targets.postgresUrl === null) throw new Error('no PostgreSQL')
  writeFileSync(urlFileIn(context), await createPostgresDatabase(targets.postgresUrl, { isEmpty: true }))
  mkdirSync(hostIn(context), { mode: 0o700 })
  const path = join(hostIn(context), 'texproof.db')
  await deps.store.snapshot(path)
  // A move adds the fingerprint of the key before it copies.
  await addFingerprint(context)
  cpSync(path, originalIn(context))
}

async function addFingerprint(context: FaultContext): Promise<void> {
  const store = await openStore({ dataDir: hostIn(context) })
  const config = { dataDir: hostIn(context), databaseUrl: 'postgres://', sealingKey: null }
  await useSealingKey(config, store).finally(() => store.close())
}

async function dropDatabase(context: FaultContext): Promise<void> {
  await dropPostgresDatabase(context.targets.postgresUrl ?? '', configOf(context).databaseUrl)
}

function configOf(context: FaultContext) {
  return { dataDir: hostIn(context), databaseUrl: readFileSync(urlFileIn(context), 'utf8'), sealingKey: null }
}

function toPostgres(context: FaultContext): Promise<Moved> {
  const config = configOf(context)
  return moveToPostgres(config, config.databaseUrl)
}

const toSqlite = (context: FaultContext): Promise<Moved> => moveToSqlite(configOf(context))

/** A part of the bucket for each data directory. */
function bucketOf({ deps, targets }: FaultContext): BucketAddress {
  if (targets.bucket === null) throw new Error('no bucket')
  return { ...targets.bucket, prefix: `${basename(deps.config.dataDir)}/` }
}

const toBucket = (context: FaultContext) =>
  moveToBucket({ dataDir: context.deps.config.dataDir, address: bucketOf(context), onFile: () => {} })
