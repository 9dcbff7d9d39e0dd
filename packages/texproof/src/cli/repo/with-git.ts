import { join } from 'node:path'

import type { Config } from '../../config/read-config.ts'
import type { GitStore } from '../../git/types.ts'
import type { BucketCopies } from '../../papers/cache/bucket-copies.ts'
import { createLogger } from '../create-logger.ts'
import { say } from '../say.ts'

/** The files of a host, for a command. */
interface HostFiles {
  readonly git: GitStore
  /** Null without a bucket. */
  readonly copies: BucketCopies | null
}

/** Opens the repositories and the bucket of a host for one command, whether or not a server is running on it. */
export async function withGit<Result>(
  { bucket, dataDir, log }: Pick<Config, 'bucket' | 'dataDir' | 'log'>,
  use: (files: HostFiles) => Promise<Result>,
): Promise<Result> {
  const { openGitStore } = await import('../../git/open-git-store.ts')
  const git = await openGitStore({ root: join(dataDir, 'repositories') })
  const copies = await openCopies({ bucket, dataDir, log })
  try {
    const result = await use({ git, copies })
    const waitingCount = (await copies?.countWaiting()) ?? 0
    if (waitingCount > 0)
      say(`! The bucket is not available. The server removes ${waitingCount} of its objects once it is.`)
    return result
  } finally {
    await git.close()
    await copies?.close()
  }
}

async function openCopies({
  bucket,
  dataDir,
  log,
}: Pick<Config, 'bucket' | 'dataDir' | 'log'>): Promise<BucketCopies | null> {
  if (bucket === null) return null
  const [{ openBucket }, { openBucketCopies }] = await Promise.all([
    import('../../bucket/open-bucket.ts'),
    import('../../papers/cache/bucket-copies.ts'),
  ])
  return openBucketCopies(join(dataDir, 'cache'), {
    bucket: openBucket(bucket),
    log: createLogger(log),
    runsTasks: true,
  })
}
