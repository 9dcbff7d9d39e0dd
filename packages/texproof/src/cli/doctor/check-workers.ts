import type { Config } from '../../config/read-config.ts'
import { isServed } from '../../store/sqlite/data-dir-lock.ts'
import { SchemaInUse } from '../../store/sqlite/migrate.ts'
import { SHOW_WORKERS_FOR_MS, workersCard } from '../../web/admin/workers-card.ts'
import { withStore } from '../with-store.ts'
import type { Finding } from './finding.ts'

const states = { good: 'good', warned: 'weak', failed: 'broken' } as const

/** Lists the workers of a running host; empty if it builds on its own machine only. */
export async function checkWorkers(config: Config): Promise<Finding[]> {
  if (!isServed(config.dataDir)) return []
  const check = 'workers'
  try {
    const since = Date.now() - SHOW_WORKERS_FOR_MS
    const workers = await withStore(config, (store) => store.workerKeys.listWorkers({ since }))
    const card = workersCard(config, workers, Date.now())
    if (card === null) return []
    return [{ check, state: states[card.state], message: card.text, remedy: card.remedy?.split('\n')[0] ?? null }]
  } catch (error) {
    const message = `cannot read the workers: ${error instanceof Error ? error.message : String(error)}`
    const remedy = error instanceof SchemaInUse ? 'Restart the server with this version.' : null
    return [{ check, state: 'weak', message, remedy }]
  }
}
