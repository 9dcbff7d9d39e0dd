/** Writes a line for a person, to standard error: standard output is for data alone. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
