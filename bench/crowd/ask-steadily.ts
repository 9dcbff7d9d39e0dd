/**
 * Sends API requests at a steady pace until stopped, in its own thread: starting two hundred programs blocks a thread,
 * which would count as latency of the host.
 */
import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const ASK_EVERY_MS = 10

const { port, token, paths } = workerData as {
  readonly port: number
  readonly token: string
  readonly paths: readonly string[]
}
const agent = new Agent({ keepAlive: true, maxSockets: 4 })
const times: number[] = []
const asked: Promise<void>[] = []
const stop = new AbortController()

parentPort?.once('message', () => stop.abort())

// The first request opens connections and loads code, so its latency is not counted.
for (let n = 0; n < 50; n += 1) await ask(paths[n % paths.length] ?? '/')
times.length = 0
parentPort?.postMessage('ready', [])

for (let n = 0; !stop.signal.aborted; n += 1) {
  asked.push(ask(paths[n % paths.length] ?? '/'))
  await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
}
await Promise.all(asked)
parentPort?.postMessage(times, [])
agent.destroy()

function ask(path: string): Promise<void> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const sent = request({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
      response.resume().once('end', () => {
        times.push(performance.now() - startedAt)
        resolve()
      })
    })
    sent.once('error', reject).end()
  })
}
