/** A function that is called in a worker thread. */
export interface ThreadTask<Input, Result> {
  /** URL of the module. */
  readonly module: string
  /** Name of the exported function. */
  readonly name: string
  /** Never set: carries the types of the function. */
  readonly types?: (input: Input) => Result
}

/**
 * Defines a function that a thread calls. The thread imports its module at the first call, so no table lists every
 * parser, and threads load only the parsers they run.
 *
 * @param module `import.meta.resolve('./file.ts')`
 */
export function defineTask<Task extends (input: never) => unknown>(
  module: string,
  name: string,
): ThreadTask<Parameters<Task>[0], Awaited<ReturnType<Task>>> {
  return { module, name }
}
