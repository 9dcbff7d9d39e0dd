import { Agent, request } from 'node:http'

/** The timing of one page. */
export interface PageTime {
  /** Milliseconds from the request to the first byte of the body. */
  readonly firstByteMs: number
  /** Milliseconds to the last byte. */
  readonly wholeMs: number
  readonly bytes: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Requests a page over a persistent connection. @throws Error if the status is not 200. */
export function timePage(url: string, headers: Readonly<Record<string, string>> = {}): Promise<PageTime> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    let firstByteMs: number | null = null
    let bytes = 0
    const asking = request(url, { agent, headers }, (answer) => {
      answer.on('data', (chunk: Buffer) => {
        firstByteMs ??= performance.now() - startedAt
        bytes += chunk.length
      })
      answer.on('error', reject)
      answer.on('end', () => {
        if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`))
        else resolve({ firstByteMs: firstByteMs ?? 0, wholeMs: performance.now() - startedAt, bytes })
      })
    })
    asking.on('error', reject)
    asking.end()
  })
}
