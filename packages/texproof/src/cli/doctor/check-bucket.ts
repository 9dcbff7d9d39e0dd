import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import { openBucket } from '../../bucket/open-bucket.ts'
import type { Config } from '../../config/read-config.ts'
import type { Finding } from './finding.ts'

const remedy = 'Check endpoint, bucket, key and secret in TEXPROOF_BLOB_URL.'

/** Checks that the bucket can be used, and how many uploads wait. */
export async function checkBucket({
  bucket: address,
  dataDir,
}: Pick<Config, 'bucket' | 'dataDir'>): Promise<Finding[]> {
  if (address === null) return []
  const check = 'bucket'
  const bucket = openBucket(address)
  try {
    if (!(await bucket.check()))
      return [{ check, state: 'broken', message: `${bucket.url}: no such bucket, or access is denied`, remedy }]
  } catch (error) {
    return [{ check, state: 'broken', message: error instanceof Error ? error.message : String(error), remedy }]
  }
  const { length } = await readdir(join(dataDir, 'cache/bucket-tasks')).catch(whenAbsent([]))
  const waiting = length === 0 ? '' : `, ${length} uploads or removals queued`
  return [{ check, state: 'good', message: `${bucket.url}${waiting}`, remedy: null }]
}
