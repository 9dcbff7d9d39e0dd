/**
 * Requests two pages ten times per second in its own process: preparing an attack takes time and memory in the process of the
 * suite, and threads wait for the memory of their process.
 */
import { request } from 'node:http'

import type { Probe, ProbeReport } from './watch-probes.ts'

const EVERY_MS = 100
const HANG_MS = 30_000

const probes = JSON.parse(process.argv[2] ?? '[]') as readonly Probe[]
let slowest: Record<string, number> = {}
let problems: string[] = []
const stop = new AbortController()

process.on('message', (message: 'report' | 'stop') => {
  const report: ProbeReport = { slowestMs: slowest, problems }
  slowest = {}
  problems = []
  if (message === 'stop') stop.abort()
  process.send?.(report)
})

process.once('disconnect', () => process.exit())

for (const probe of probes) void watch(probe)

async function watch(probe: Probe): Promise<void> {
  while (!stop.signal.aborted) {
    const startedAt = performance.now()
    const problem = await ask(probe)
    const durationMs = performance.now() - startedAt
    slowest[probe.name] = Math.max(slowest[probe.name] ?? 0, durationMs)
    if (problem !== null) problems.push(`${probe.name}: ${problem}`)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, EVERY_MS - durationMs)))
  }
  if (process.connected) process.disconnect()
}

function ask({ url, headers }: Probe): Promise<string | null> {
  return new Promise((resolve) => {
    const asked = request(url, { headers, agent: false, timeout: HANG_MS }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode === 200 ? null : `answered ${response.statusCode}`))
      response.once('error', (error) => resolve(error.message))
    })
    asked.once('timeout', () => asked.destroy(new Error('did not answer')))
    asked.once('error', (error) => resolve(error.message))
    asked.end()
  })
}
