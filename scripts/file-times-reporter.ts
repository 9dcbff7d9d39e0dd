import type { TestEvent } from 'node:test/reporters'

/**
 * A reporter of `node --test` that writes one line a test file, `milliseconds<TAB>path`.
 * (The test runner loads a reporter by its default export.)
 */
// oxlint-disable-next-line import/no-default-export
export default async function* reportFileTimes(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    if (event.type !== 'test:summary' || event.data.file === undefined) continue
    yield `${event.data.duration_ms.toFixed(0)}\t${event.data.file}\n`
  }
}
