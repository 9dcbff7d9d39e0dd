/** Counters of one service and their Prometheus text, version 0.0.4. */
import type { CompileEnd } from './service-event.ts'

const DURATION_BUCKETS_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]
const PASS_BUCKETS = [1, 2, 3, 4, 5, 8]

export interface CompileMeasure {
  readonly engine: string
  readonly end: CompileEnd
  readonly passes: number
  readonly durationMs: number
}

export interface ServiceMetrics {
  countCompile(measure: CompileMeasure): void
  /** Counts a response with an error status, by its code. */
  countFault(code: string): void
  /** @param values further values: name → [help, value]. Names of counters end with `_total`; the others are gauges. */
  render(values: Readonly<Record<string, readonly [string, number]>>): string
}

export function createServiceMetrics(): ServiceMetrics {
  const compiles = new Map<string, number>()
  const faults = new Map<string, number>()
  const seconds = createHistogram('platex_compile_seconds', 'Wall time of compiles.', DURATION_BUCKETS_SECONDS)
  const passes = createHistogram('platex_compile_passes', 'Engine passes of compiles.', PASS_BUCKETS)
  return {
    countCompile: (measure) => {
      increment(compiles, `{engine="${measure.engine}",end="${measure.end}"}`)
      seconds.observe(measure.durationMs / 1000)
      passes.observe(measure.passes)
    },
    countFault: (code) => increment(faults, `{code="${code}"}`),
    render: (values) =>
      [
        ...renderFamily('platex_compiles_total', 'counter', 'Compiles by engine and how they ended.', compiles),
        ...renderFamily('platex_faults_total', 'counter', 'Responses with an error status, by code.', faults),
        ...seconds.render(),
        ...passes.render(),
        ...Object.entries(values).flatMap(([name, [help, value]]) =>
          renderFamily(name, name.endsWith('_total') ? 'counter' : 'gauge', help, new Map([['', value]])),
        ),
        '',
      ].join('\n'),
  }
}

interface Histogram {
  observe(value: number): void
  render(): string[]
}

function createHistogram(name: string, help: string, bounds: readonly number[]): Histogram {
  const counts = bounds.map(() => 0)
  let sum = 0
  let total = 0
  return {
    observe: (value) => {
      sum += value
      total += 1
      for (const [index, bound] of bounds.entries()) if (value <= bound) counts[index] = (counts[index] ?? 0) + 1
    },
    render: () => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} histogram`,
      ...bounds.map((bound, index) => `${name}_bucket{le="${bound}"} ${counts[index]}`),
      `${name}_bucket{le="+Inf"} ${total}`,
      `${name}_sum ${sum}`,
      `${name}_count ${total}`,
    ],
  }
}

function renderFamily(name: string, type: string, help: string, series: ReadonlyMap<string, number>): string[] {
  const lines = [...series].map(([labels, value]) => `${name}${labels} ${value}`)
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines]
}

function increment(series: Map<string, number>, labels: string): void {
  series.set(labels, (series.get(labels) ?? 0) + 1)
}
