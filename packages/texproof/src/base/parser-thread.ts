/** Runs on the threads of `open-parsers.ts`: calls one function after the other, each imported when first called. */
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

serveTasks(tasks)
