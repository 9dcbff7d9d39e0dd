import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { whenAbsent } from '../../../base/absent.ts'
import { listCachedFiles } from '../../../papers/cache/evict-cache.ts'
import { pdfPath } from '../../../papers/cache/pdf-store.ts'
import { listPending } from '../../../papers/push/pending-repositories.ts'
import type { Bucket } from '../../../bucket/open-bucket.ts'
import type { KeptPdf } from '../../../store/sqlite/database-file.ts'
import type { CheckedHost } from './check-repositories.ts'
import type { DeepFinding } from './deep-finding.ts'

/** Checks every stored PDF, and that the PDFs of tags and branches are stored. */
export async function checkPdfs(
  host: Pick<CheckedHost, 'dataDir' | 'database' | 'readAgain' | 'signal'> & { readonly bucket: Bucket | null },
): Promise<readonly DeepFinding[]> {
  return [...(await findDamaged(host)), ...(await findMissing(host))]
}

/** Compares every PDF with its name, the SHA-256 of its content. Deleted PDFs are rebuilt on request. */
async function findDamaged({
  dataDir,
  signal,
}: Pick<CheckedHost, 'dataDir' | 'signal'>): Promise<readonly DeepFinding[]> {
  const findings: DeepFinding[] = []
  for (const { path } of await listCachedFiles(join(dataDir, 'cache/pdf'))) {
    signal?.throwIfAborted()
    const sum = await hashFile(path).catch(whenAbsent(null)) // a running server has removed it
    if (sum === null || path.endsWith(`/${sum}.pdf`)) continue
    const repair = { title: `remove ${path}`, run: () => rm(path, { force: true }) }
    findings.push({ check: 'pdf', state: 'broken', message: `${path} is damaged`, remedy: null, repair })
  }
  return findings
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

async function findMissing(host: Parameters<typeof checkPdfs>[0]): Promise<readonly DeepFinding[]> {
  const { database, dataDir, readAgain } = host
  const suspected = new Set((await listMissing(host, database.listKeptPdfs())).map(({ pdfId }) => pdfId))
  if (suspected.size === 0) return []
  // A running server removes a PDF that a newer build has replaced, or whose branch or repository was deleted, meanwhile.
  const current = (await readAgain?.()) ?? database
  const missing = await listMissing(
    host,
    current.listKeptPdfs().filter(({ pdfId }) => suspected.has(pdfId)),
  )
  // For example after a restore: backups contain no PDFs of branches.
  const pending = new Set(await listPending(dataDir))
  return [...Map.groupBy(missing, ({ fullName }) => fullName)].map(([fullName, pdfs]) => ({
    check: 'pdf',
    state: 'weak',
    message: `${fullName}: no PDF of ${[...new Set(pdfs.map(({ ref }) => ref))].join(', ')}`,
    remedy: pdfs.some(({ repositoryId }) => pending.has(repositoryId))
      ? 'The server builds them when it starts, or within a minute.'
      : 'Open the PDF page of each and request a build.',
    repair: null,
  }))
}

async function listMissing(
  { dataDir, bucket, signal }: Parameters<typeof checkPdfs>[0],
  pdfs: readonly KeptPdf[],
): Promise<readonly KeptPdf[]> {
  const missing: KeptPdf[] = []
  for (const pdf of pdfs) {
    signal?.throwIfAborted()
    const name = pdfPath('pdf', pdf.pdfId)
    // A file that cannot be read is not missing: the error names it.
    if ((await stat(join(dataDir, 'cache', name)).catch(whenAbsent(null))) !== null) continue
    if (bucket === null || (await bucket.measure(name)) === null) missing.push(pdf)
  }
  return missing
}
