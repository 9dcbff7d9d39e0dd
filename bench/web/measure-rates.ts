import { runWrk } from '../run-wrk.ts'

/** Requests per second of one page, as medians, and the median of the ratios within a round. */
export interface PageRates {
  readonly connections: number
  readonly ours: number
  readonly cgit: number
  readonly ratio: number
}

/** Measures both sides in turns, with one connection and with sixteen. */
export async function measureRates(
  { ours, theirs }: { readonly ours: string; readonly theirs: string },
  rounds: number,
): Promise<readonly PageRates[]> {
  const rates: PageRates[] = []
  for (const connections of [1, 16]) {
    const pairs: { readonly ours: number; readonly cgit: number }[] = []
    for (let round = 0; round < rounds; round += 1)
      pairs.push({ ours: await runWrk({ url: ours, connections }), cgit: await runWrk({ url: theirs, connections }) })
    rates.push({
      connections,
      ours: median(pairs.map((pair) => pair.ours)),
      cgit: median(pairs.map((pair) => pair.cgit)),
      ratio: median(pairs.map((pair) => pair.ours / pair.cgit)),
    })
  }
  return rates
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN
}
