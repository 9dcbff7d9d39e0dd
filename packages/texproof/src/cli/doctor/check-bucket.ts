import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import { openBucket } from '../../bucket/open-bucket.ts'
import type { Config } from '../../config/read-config.ts'
import type { Finding } from './finding.ts'

const remedy = 'Check endpoint, bucket, key and secret in TEXPROOF_BLOB_URL.'

/**
 * Checks that the bucket can be used, and how many uploads wait. One that does not respond within `limitMs` (default 10 s) is
 * reported, because someone waits for the answer.
 */
export async function checkBucket(
  { bucket: address, dataDir }: Pick<Config, 'bucket' | 'dataDir'>,
  { limitMs = 10_000 }: { readonly limitMs?: number } = {},
): Promise<Finding[]> {
  if (address === null) return []
  const check = 'bucket'
  const bucket = openBucket(address)
  const timer = setTimeout(() => bucket.close(new Error(`no answer within ${limitMs / 1000} s`)), limitMs)
  try {
    if (!(await bucket.check()))
      return [{ check, state: 'broken', message: `${bucket.url}: no such bucket, or access is denied`, remedy }]
  } catch (error) {
    return [{ check, state: 'broken', message: error instanceof Error ? error.message : String(error), remedy }]
  } finally {
    clearTimeout(timer)
  }
  const { length } = await readdir(join(dataDir, 'cache/bucket-tasks')).catch(whenAbsent([]))
  const waiting = length === 0 ? '' : `, ${length} uploads or removals queued`
  return [{ check, state: 'good', message: `${bucket.url}${waiting}`, remedy: null }]
}
