import { Buffer } from 'node:buffer'

export interface DriverMessage {
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/**
 * Messages of `xdvipdfmx`. It writes only to standard output, after XeTeX has finished its transcript; a line that
 * is also in the transcript was printed by the document.
 */
export function readDriverOutput(stdout: Uint8Array, transcript: readonly string[]): readonly DriverMessage[] {
  const tail = stdout.subarray(Math.max(0, stdout.byteLength - 256 * 1024))
  const text = Buffer.from(tail.buffer, tail.byteOffset, tail.byteLength).toString('utf8')
  if (!text.includes('dvipdfmx') && !text.includes('driver return code')) return []
  const printed = new Set(transcript)
  return text.split(/\r?\n/).flatMap((line) => {
    const match =
      /^x?dvipdfmx:(fatal|warning|error): (.*)$/.exec(line) ?? /^(Error) \d+ \(driver return code\) .*$/.exec(line)
    if (match === null || printed.has(line)) return []
    return { severity: match[1] === 'warning' ? 'warning' : 'error', message: line.trim() } as const
  })
}
