import { Worker } from 'node:worker_threads'

interface Asked {
  readonly host: { readonly port: number }
  readonly token: string
  readonly paths: readonly string[]
}

/** Sends API requests at a steady pace while `work` runs, and returns their latencies in milliseconds. */
export async function askWhile<Result>(
  { host, token, paths }: Asked,
  work: () => Promise<Result>,
): Promise<{ readonly times: readonly number[]; readonly result: Result }> {
  const worker = new Worker(new URL('ask-steadily.ts', import.meta.url), {
    workerData: { port: host.port, token, paths },
  })
  const next = (): Promise<unknown> =>
    new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
  await next()
  const result = await work()
  const times = next()
  worker.postMessage('stop', [])
  return { times: (await times) as readonly number[], result }
}
