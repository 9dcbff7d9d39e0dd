/** A worker script whose task needs code that takes half a second to load. */
import { setTimeout as sleep } from 'node:timers/promises'

import { serveTasks } from '../../src/worker/serve-tasks.ts'

export const slowLoadingTasks = { double: (value: number): number => 2 * value }

serveTasks(slowLoadingTasks, { load: () => sleep(500) })
