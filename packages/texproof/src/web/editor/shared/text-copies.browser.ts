/** Texts that the server has not confirmed, in the storage of the browser: one entry for each window. */

/** The draft that a text replaces. */
export interface DraftBase {
  readonly revision: number
  /** Id of the history that the revisions count: a draft that ends and begins again counts from 0. */
  readonly epoch: string
}

/** A text that the server has not confirmed. */
export interface TextCopy extends DraftBase {
  readonly text: string
  /** The attempt to commit exactly this text. Only the next page receives its outcome. */
  readonly commitAttempt?: string
}

const prefixOf = (address: string): string => `texproof-draft ${address} `

/** A name for the copy of a window: two windows of one file must not overwrite each other's copy. */
export function nameCopy(address: string): string {
  return `${prefixOf(address)}${Math.random()}`
}

/** The copies that the windows of a file have left; `address` is the address of its draft. */
export function readCopies(address: string): readonly { readonly key: string; readonly copy: TextCopy }[] {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefixOf(address)))
    return keys.map((key) => ({ key, copy: JSON.parse(localStorage.getItem(key) ?? '') as TextCopy }))
  } catch {
    // Storage is blocked or contains something else: there is no copy.
    return []
  }
}

/** Keeps the copies of a file under its new address. False if the browser cannot store one of them, which then stays. */
export function moveCopies(address: string, newAddress: string): boolean {
  const copies = readCopies(address)
  const moved = copies.filter(({ copy }) => writeCopy(nameCopy(newAddress), copy))
  for (const { key } of moved) removeCopy(key)
  return moved.length === copies.length
}

/** Returns whether the browser has stored the copy. */
export function writeCopy(key: string, copy: TextCopy): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(copy))
    return true
  } catch {
    // Storage is full or blocked: the server still gets every change.
    return false
  }
}

export function removeCopy(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Storage is blocked: there is no copy.
  }
}
