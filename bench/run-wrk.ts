import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** A load on one address. */
export interface Load {
  readonly url: string
  readonly connections: number
  readonly authorization?: string
}

const secondsPerTurn = 2

/** Requests per second under a load, measured by wrk. @throws Error if a response is not a success. */
export async function runWrk({ url, connections, authorization }: Load): Promise<number> {
  const load = ['--threads', '1', '--connections', String(connections), '--duration', `${secondsPerTurn}s`]
  const header = authorization === undefined ? [] : ['--header', `Authorization: ${authorization}`]
  const { stdout } = await promisify(execFile)('wrk', [...load, ...header, url])
  if (stdout.includes('Non-2xx')) throw new Error(`${url}: ${stdout}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
}
