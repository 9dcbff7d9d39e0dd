import { Buffer } from 'node:buffer'

export interface DriverMessage {
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/**
 * Messages of `xdvipdfmx`, `dvipdfmx`, `dvips` and Ghostscript. They write only to the terminal, after TeX has finished its
 * transcript; a line that is also in the transcript was printed by the document.
 */
export function readDriverOutput(stdout: Uint8Array, transcript: readonly string[]): readonly DriverMessage[] {
  const tail = stdout.subarray(Math.max(0, stdout.byteLength - 256 * 1024))
  const text = Buffer.from(tail.buffer, tail.byteOffset, tail.byteLength).toString('utf8')
  if (!/dvipdfmx|dvips|Ghostscript|driver return code/.test(text)) return []
  const printed = new Set(transcript)
  // XeTeX's driver uses Ghostscript for single pictures, and reports its failure itself.
  const isPostScript = text.includes('This is dvips')
  return text.split(/\r?\n/).flatMap((line) => {
    return printed.has(line) ? [] : (readLine(line.trim(), isPostScript) ?? [])
  })
}

function readLine(line: string, isPostScript: boolean): DriverMessage | null {
  const match =
    /^x?dvipdfmx:(fatal|warning|error): .*$/.exec(line) ?? /^(Error) \d+ \(driver return code\) .*$/.exec(line)
  if (match !== null) return { severity: match[1] === 'warning' ? 'warning' : 'error', message: line }
  if (line.startsWith('dvips: ')) return { severity: LOSES_CONTENT.test(line) ? 'error' : 'warning', message: line }
  const fault = isPostScript ? /^Error: (\/\w+ in .{1,200})$/.exec(line)?.[1] : undefined
  return fault === undefined ? null : { severity: 'error', message: `Ghostscript could not make the PDF: ${fault}` }
}

/** Messages of dvips about content that the PDF lacks, and fatal ones. */
const LOSES_CONTENT = /^dvips: (?:! |Could not find figure file|Font .* not found)/
