/** A function of a module of ours, to be called on a thread. */
export interface ThreadTask<Input, Result> {
  /** URL of the module. */
  readonly module: string
  /** Name of the exported function. */
  readonly name: string
  /** Never set: carries the types of the function. */
  readonly types?: (input: Input) => Result
}

/**
 * Names a function that a thread calls: the thread imports its module when it is first needed, so no table has to know
 * every parser, and no thread loads parsers that it never runs.
 *
 * @param module `import.meta.resolve('./file.ts')`
 */
export function defineTask<Task extends (input: never) => unknown>(
  module: string,
  name: string,
): ThreadTask<Parameters<Task>[0], Awaited<ReturnType<Task>>> {
  return { module, name }
}
