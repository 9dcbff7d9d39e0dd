import type { Readable } from 'node:stream'

/** A terminal's keyboard; `isRaw` false means that Enter ends a line. */
export interface Keyboard extends Readable {
  readonly isTTY?: boolean
  setRawMode?(isRaw: boolean): unknown
}

const ctrlC = '\u0003'

/**
 * Calls `onKey` with each key that is pressed, until the function that it returns is called. Ctrl-C stays what it is: an
 * interrupt, which a keyboard that is read key by key no longer sends by itself.
 *
 * Null where there is no keyboard: then nothing is read, so that a pipe or a background job is left alone.
 */
export function readKeys(keyboard: Keyboard, onKey: (key: string) => void): (() => void) | null {
  if (!keyboard.isTTY || keyboard.setRawMode === undefined) return null
  const onData = (bytes: Buffer | string): void => {
    for (const key of bytes.toString()) {
      if (key === ctrlC) process.kill(process.pid, 'SIGINT')
      else onKey(key.toLowerCase())
    }
  }
  keyboard.setRawMode(true)
  keyboard.on('data', onData).resume()
  return () => {
    keyboard.off('data', onData).pause()
    keyboard.setRawMode?.(false)
  }
}
