import { writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'

/** Writes the results of a benchmark to bench/results, with the machine and its load. */
export async function storeResults(name: string, results: object): Promise<void> {
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, load: loadavg(), node: process.version }
  const text = JSON.stringify({ date: new Date().toISOString(), machine, ...results }, null, 2)
  await writeFile(new URL(`../results/${name}.json`, import.meta.url), `${text}\n`)
}
