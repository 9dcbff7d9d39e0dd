import type { Readable } from 'node:stream'

/** A terminal's keyboard; without raw mode, Enter ends a line. */
export interface Keyboard extends Readable {
  readonly isTTY?: boolean
  setRawMode?(isRaw: boolean): unknown
}

const ctrlC = '\u0003'

/**
 * Calls `onKey` with each key, until the returned function is called. Ctrl-C still interrupts, which the terminal no
 * longer does by itself in raw mode.
 *
 * Null without a terminal: then nothing is read, so that pipes and background jobs are unaffected.
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
