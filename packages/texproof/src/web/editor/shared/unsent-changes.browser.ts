/** Changes that the server has not stored yet, in the storage of the browser: one entry for each opened page. */

/** Which page has made the changes. */
export interface CopyKey {
  /** Address of the connection. */
  readonly address: string
  /** Client id of Yjs. */
  readonly clientId: number
}

/** Changes, and the whole text in case they cannot be merged. */
export interface UnsentCopy {
  readonly epoch: string
  /** Updates in Base64, in their order. */
  readonly updates: readonly string[]
  readonly text: string
}

/** Stored form of an entry: an earlier version wrote one `update`. */
interface StoredCopy extends Partial<UnsentCopy> {
  readonly update?: string
}

const prefixOf = (address: string): string => `texproof-unsent ${address} `
const nameOf = ({ address, clientId }: CopyKey): string => `${prefixOf(address)}${clientId}`

/** The changes that earlier pages of this file have left behind. */
export function findCopies(address: string): readonly { readonly key: CopyKey; readonly copy: UnsentCopy }[] {
  try {
    const prefix = prefixOf(address)
    const names = Object.keys(localStorage).filter((name) => name.startsWith(prefix))
    return names.flatMap((name) => {
      const copy = readCopy(localStorage.getItem(name) ?? '')
      return copy === null ? [] : [{ key: { address, clientId: Number(name.slice(prefix.length)) }, copy }]
    })
  } catch {
    // Storage is blocked: there is no copy.
    return []
  }
}

/** Null if the entry is damaged. It stays in the storage, because it may be the only one with that text. */
function readCopy(entry: string): UnsentCopy | null {
  try {
    const { epoch, text, update, updates } = JSON.parse(entry) as StoredCopy
    if (typeof epoch !== 'string' || typeof text !== 'string') return null
    return { epoch, text, updates: updates ?? (update === undefined ? [] : [update]) }
  } catch {
    return null // Not JSON.
  }
}

/** Returns whether the browser has stored the copy. */
export function writeCopy(key: CopyKey, copy: UnsentCopy): boolean {
  try {
    localStorage.setItem(nameOf(key), JSON.stringify(copy))
    return true
  } catch {
    // Storage is full or blocked: the server still gets every change.
    return false
  }
}

export function removeCopies(keys: readonly CopyKey[]): void {
  try {
    for (const key of keys) localStorage.removeItem(nameOf(key))
  } catch {
    // Storage is blocked: there is no copy.
  }
}

/** Keeps the copies of a file under its new address. False if the browser cannot store one of them, which then stays. */
export function moveCopies(address: string, newAddress: string): boolean {
  const moved = findCopies(address).filter(({ key, copy }) => writeCopy({ ...key, address: newAddress }, copy))
  removeCopies(moved.map(({ key }) => key))
  return findCopies(address).length === 0
}

export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let start = 0; start < bytes.length; start += 8_192)
    binary += String.fromCharCode(...bytes.subarray(start, start + 8_192))
  return btoa(binary)
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
