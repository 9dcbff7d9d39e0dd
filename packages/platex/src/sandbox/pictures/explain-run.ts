import type { RunReport, SandboxLimit } from '../types.ts'

/** Why a program without a good result failed: how it ended, and the first line of its output that names an error. */
export function explainRun(
  name: string,
  { end, stdout, stderr }: Pick<RunReport, 'end' | 'stdout' | 'stderr'>,
): string {
  // The picture is too expensive; what the program printed until then is not the reason.
  if (end.kind === 'timed-out') return `${name} exceeded the time limit. Simplify the picture`
  if (end.kind === 'limit-exceeded') return `${name} exceeded the ${nameLimit(end.limit)} limit. Simplify the picture`
  const line = findErrorLine(stdout, stderr)
  const how = end.kind === 'exited' ? `exit code ${end.exitCode}` : end.kind
  return `${name} failed (${how})${line === null ? '' : `: ${line}`}`
}

function nameLimit(limit: SandboxLimit): string {
  return limit === 'cpu' ? 'time' : limit === 'file-size' ? 'file size' : limit
}

function findErrorLine(...outputs: readonly Uint8Array[]): string | null {
  const lines = outputs.flatMap((bytes) => new TextDecoder().decode(bytes.subarray(0, 4096)).split('\n'))
  const line =
    lines.find((text) => /error|invalid|unrecoverable/i.test(text)) ?? lines.find((text) => text.trim() !== '')
  return line === undefined ? null : line.trim().slice(0, 200)
}
