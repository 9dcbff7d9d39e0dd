/** A program that prepares a thread and never uses it. */
import { createWorkerPool } from '../../src/worker/create-worker-pool.ts'

createWorkerPool(new URL('sample-tasks.ts', import.meta.url), { idleLimitMs: 3_600_000 }).prepare()
console.log('prepared')
