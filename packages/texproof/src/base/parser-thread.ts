/** Runs on the threads of `open-parsers.ts`: calls one function after the other, each imported when first called. */
import { setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

import { serveTasks } from '@texproof/platex/worker'

/** What a thread is asked to call. */
export interface ThreadCall {
  readonly module: string
  readonly name: string
  readonly input: unknown
}

const tasks = {
  async call({ module, name, input }: ThreadCall): Promise<unknown> {
    const exported = (await import(module)) as Readonly<Record<string, (input: unknown) => unknown>>
    const task = exported[name]
    if (task === undefined) throw new Error(`${module} exports no "${name}"`)
    return task(input)
  },
}

/** The one task of these threads. */
export type ParserTasks = typeof tasks

// Linux counts this for the calling thread alone: these threads give way to the one that serves requests.
if (!isMainThread) setPriority(0, 4)
serveTasks(tasks)
