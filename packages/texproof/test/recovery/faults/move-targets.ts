import { findPostgres, startPostgres } from '../../support/database/postgres-cluster.ts'
import { startS3Server } from '../../support/hosts/s3-server.ts'
import type { MoveTargets } from './fault-setting.ts'

/** Starts a PostgreSQL server, where it is installed, and an S3 server. */
export async function startMoveTargets(): Promise<{ readonly targets: MoveTargets; close(): Promise<void> }> {
  const programs = findPostgres()
  const [cluster, s3] = await Promise.all([programs === null ? null : startPostgres(programs), startS3Server()])
  return {
    targets: { postgresUrl: cluster?.url ?? null, bucket: s3.address },
    async close() {
      cluster?.stop()
      await s3.close()
    },
  }
}
