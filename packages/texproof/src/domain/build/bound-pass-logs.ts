import type { RawPassLog } from '@texproof/platex'

/** Characters kept of the output of one program: a document can make TeX print endlessly. */
const MAX_KEPT_LENGTH = 4 * 1024 * 1024
/** Characters kept from the beginning, as part of `MAX_KEPT_LENGTH`. */
const KEPT_HEAD = 512 * 1024

/** The logs as they are stored: only the beginning and the end of very long ones. */
export function boundPassLogs(logs: readonly RawPassLog[]): readonly RawPassLog[] {
  return logs.map((pass) => ({
    ...pass,
    log: bound(pass.log),
    stdout: bound(pass.stdout),
    stderr: bound(pass.stderr),
  }))
}

function bound(text: string): string {
  if (text.length <= MAX_KEPT_LENGTH) return text
  const tail = text.slice(KEPT_HEAD - MAX_KEPT_LENGTH)
  return `${text.slice(0, KEPT_HEAD)}\n[${text.length - MAX_KEPT_LENGTH} characters omitted]\n${tail}`
}
