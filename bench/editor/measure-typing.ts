/** How long keystrokes block the page of the editor, from a trace of the browser. */
import type { Browser, Page } from 'playwright-core'

const TEXT = 'tides '.repeat(33)
const KEY_EVERY_MS = 40

/** Tasks of threads and the marks of the page. Details would slow the page down. */
const CATEGORIES = ['toplevel', 'blink.user_timing']

/** An event of a trace; times in microseconds. */
interface TraceEvent {
  readonly name: string
  /** `X` = a task with its duration. */
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
}

/** Period in milliseconds of the clock of the page. */
interface Span {
  readonly from: number
  readonly to: number
}

/**
 * Types a text into the focused editor. For each key: the milliseconds that the main thread works from the moment at which
 * the browser has received the key until a timer of its handler fires. Chromium fires it after the next frame; the time in
 * which the thread only waits for that frame, up to 17 ms, is not included, because another key would be handled then.
 */
export async function measureTyping(browser: Browser, page: Page): Promise<readonly number[]> {
  const session = await browser.newBrowserCDPSession()
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  await session.send('Tracing.start', { traceConfig: { includedCategories: CATEGORIES }, transferMode: 'ReportEvents' })
  const markedAt = await page.evaluate<number>(WATCH_KEYS)
  await page.keyboard.type(TEXT, { delay: KEY_EVERY_MS })
  const keys = await page.evaluate<readonly Span[]>('window.keys')
  const isComplete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await isComplete
  await session.detach()
  const work = readWork(events, markedAt)
  return keys.map((key) => sumWithin(work, key))
}

/** Runs in the page. Its result is the time of the mark, which relates both clocks. */
const WATCH_KEYS = `(() => {
  window.keys = []
  addEventListener('keydown', ({ timeStamp: from }) => {
    setTimeout(() => window.keys.push({ from, to: performance.now() }))
  }, { capture: true })
  return performance.mark('clock').startTime
})()`

/** When the main thread of the page works. */
function readWork(events: readonly TraceEvent[], markedAt: number): readonly Span[] {
  const clock = events.find(({ name }) => name === 'clock')
  if (clock === undefined) throw new Error('the trace lacks the mark of the page')
  const toPageMs = (ts: number): number => markedAt + (ts - clock.ts) / 1_000
  const tasks = events.filter(({ ph, pid, tid }) => ph === 'X' && pid === clock.pid && tid === clock.tid)
  return joinSpans(tasks.map(({ ts, dur = 0 }) => ({ from: toPageMs(ts), to: toPageMs(ts + dur) })))
}

/** Microtasks run inside a task or after it. */
function joinSpans(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = []
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1)
    if (last === undefined || last.to < span.from) joined.push(span)
    else joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, span.to) }
  }
  return joined
}

function sumWithin(spans: readonly Span[], { from, to }: Span): number {
  return spans.reduce((sum, span) => sum + Math.max(0, Math.min(span.to, to) - Math.max(span.from, from)), 0)
}
