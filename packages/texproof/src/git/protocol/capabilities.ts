/**
 * Capabilities of the installed git, read from its own answer for a repository.
 *
 * Versions differ in their capabilities, so none are hard-coded. An answer is cached for a limited time: git may be
 * upgraded while the host runs.
 */
import { LRUCache } from 'lru-cache'

import { runGit } from '../process/run-git.ts'
import type { AdvertisedHead } from '../refs/read-advertised-refs.ts'
import type { Capabilities } from './encode-refs.ts'
import { readPktLine } from './pkt-line.ts'

/** Reads and caches capabilities. */
export interface CapabilityReader {
  /** Capabilities of protocol versions 0 and 1; null if the answer for this repository does not contain them. */
  find(gitDir: string, service: 'upload-pack' | 'receive-pack', head: AdvertisedHead): Promise<Capabilities | null>
  /** The complete answer for protocol version 2, which contains no refs; null if git gives none. */
  findVersion2(gitDir: string): Promise<Uint8Array | null>
}

/** Creates a reader for the git on a search path. */
export function createCapabilityReader({ searchPath }: { readonly searchPath: string }): CapabilityReader {
  const known = new LRUCache<string, Capabilities>({ max: 2, ttl: rememberedMs })
  const knownVersion2 = new LRUCache<'', Uint8Array>({ max: 1, ttl: rememberedMs })

  async function ask(gitDir: string, service: string, protocol: string | null): Promise<Buffer> {
    const run = await runGit([service, '--stateless-rpc', '--http-backend-info-refs', gitDir], {
      gitDir,
      searchPath,
      protocol,
      timeoutMs: 60_000,
      // The first line of a long list is enough.
      maxOutputBytes: 8_192,
    })
    return run.kind === 'exited' || run.kind === 'output-too-long' ? run.stdout : Buffer.alloc(0)
  }

  return {
    async find(gitDir, service, head) {
      const remembered = known.get(service)
      if (remembered !== undefined) return remembered
      const found = parseCapabilities(await ask(gitDir, service, null), service, head)
      if (found !== null) known.set(service, found)
      return found
    },
    async findVersion2(gitDir) {
      const remembered = knownVersion2.get('')
      if (remembered !== undefined) return remembered
      const found = await ask(gitDir, 'upload-pack', 'version=2')
      const isWhole = found.toString('latin1', 4).startsWith('version 2\n') && found.toString('latin1').endsWith('0000')
      if (!isWhole) return null
      knownVersion2.set('', found)
      return found
    },
  }
}

function parseCapabilities(answer: Uint8Array, service: string, { target }: AdvertisedHead): Capabilities | null {
  const line = readPktLine(answer)
  if (line.kind !== 'data') return null
  const [, text] = /^[0-9a-f]{40} [^\0]+\0(.+)\n$/.exec(Buffer.from(line.payload).toString()) ?? []
  if (text === undefined) return null
  if (service === 'receive-pack') return { beforeHead: text, afterHead: '' }
  // The position of HEAD is known only for a repository whose HEAD exists.
  const head = ` symref=HEAD:${target}`
  const at = text.indexOf(`${head} `)
  return at === -1 ? null : { beforeHead: text.slice(0, at), afterHead: text.slice(at + head.length) }
}

const rememberedMs = 10 * 60_000
