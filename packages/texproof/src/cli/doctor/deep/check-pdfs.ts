import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { listCachedFiles } from '../../../papers/cache/evict-cache.ts'
import type { DeepFinding } from './deep-finding.ts'

/** Compares every stored PDF with its name, the SHA-256 of its content. Deleted PDFs are rebuilt on request. */
export async function checkPdfs(dataDir: string): Promise<readonly DeepFinding[]> {
  const findings: DeepFinding[] = []
  for (const { path } of await listCachedFiles(join(dataDir, 'cache/pdf'))) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    if (path.endsWith(`/${hash.digest('hex')}.pdf`)) continue
    const repair = { title: `remove ${path}`, run: () => rm(path, { force: true }) }
    findings.push({ check: 'pdf', state: 'broken', message: `${path} is damaged`, remedy: null, repair })
  }
  return findings
}
