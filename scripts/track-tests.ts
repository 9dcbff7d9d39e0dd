import asyncHooks, { AsyncLocalStorage, createHook, executionAsyncId } from 'node:async_hooks'
import type { AsyncResource, HookCallbacks } from 'node:async_hooks'
import { isMainThread } from 'node:worker_threads'

// `node --import scripts/track-tests.ts`: to find the test that a call belongs to, the test runner hooks every promise and
// every asynchronous operation of the process, including the host under test. AsyncLocalStorage keeps the running test
// for less, and leaves only tests to the hook.

/** The asynchronous id of the test that runs. */
const running = new AsyncLocalStorage<number>()

/**
 * The hook of the test runner: it receives events of its own tests, which are not destroyed before the end of the
 * process.
 */
function createTestHook({ init }: HookCallbacks): ReturnType<typeof createHook> {
  return createHook({
    trackPromises: false,
    init(id, type, triggerId, resource) {
      if (type !== 'Test') return
      init?.(id, type, triggerId, resource)
      runInContext(resource as AsyncResource, id)
    },
  })
}

function runInContext(test: AsyncResource, id: number): void {
  const run = test.runInAsyncScope
  // Inside of the original, which restores the context in which the test was declared.
  test.runInAsyncScope = (fn, self, ...args) =>
    run.call(test, () => running.run(id, () => Reflect.apply(fn, self, args))) as never
}

if (isMainThread) {
  const original = { createHook, executionAsyncId }
  Object.assign(asyncHooks, {
    createHook: createTestHook,
    executionAsyncId: () => running.getStore() ?? executionAsyncId(),
  })
  // It takes both functions while it is loaded; no other module may receive them.
  await import('node:test')
  Object.assign(asyncHooks, original)
}
