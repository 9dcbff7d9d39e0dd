/** One of the three requests of git over HTTP. */
export interface SmartHttpTarget {
  readonly owner: string
  /** Name without `.git`. */
  readonly name: string
  readonly service: 'upload-pack' | 'receive-pack'
  /** The `info/refs` request that precedes the pack. */
  readonly advertise: boolean
}

const PATH = /^\/([^/?#]+)\/([^/?#]+)\/(info\/refs|git-upload-pack|git-receive-pack)$/

/** Whether a request target belongs to git; other paths below a repository belong to the web pages. */
export function isSmartHttpTarget(rawTarget: string): boolean {
  return PATH.test(splitTarget(rawTarget).path)
}

/** Parses method and raw target; null for others: the dumb protocol, other services, other methods. */
export function parseSmartHttpTarget(method: string, rawTarget: string): SmartHttpTarget | null {
  const { path, query } = splitTarget(rawTarget)
  const [, rawOwner = '', rawName = '', endpoint = ''] = PATH.exec(path) ?? []
  const owner = decodeSegment(rawOwner)
  const name = decodeSegment(rawName)?.replace(/\.git$/, '')
  const service =
    endpoint === 'info/refs' ? parseService(new URLSearchParams(query).get('service')) : parseService(endpoint)
  const advertise = endpoint === 'info/refs'
  if (!owner || !name || service === null || method !== (advertise ? 'GET' : 'POST')) return null
  return { owner, name, service, advertise }
}

function splitTarget(rawTarget: string): { path: string; query: string } {
  const at = rawTarget.indexOf('?')
  return at === -1 ? { path: rawTarget, query: '' } : { path: rawTarget.slice(0, at), query: rawTarget.slice(at + 1) }
}

function parseService(name: string | null): SmartHttpTarget['service'] | null {
  return name === 'git-upload-pack' ? 'upload-pack' : name === 'git-receive-pack' ? 'receive-pack' : null
}

/** Decodes once; invalid escapes and encoded slashes name no repository. */
function decodeSegment(segment: string): string | null {
  try {
    const decoded = decodeURIComponent(segment)
    return decoded.includes('/') ? null : decoded
  } catch {
    return null // an invalid escape
  }
}
