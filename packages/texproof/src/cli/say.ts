/** Writes a line for the user to standard error: standard output is for data. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
