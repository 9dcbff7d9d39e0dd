/** Writes a line for the user to standard error: standard output is for data. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** How long the last messages of a server wait for a reader. */
const UNREAD_MS = 2_000

/**
 * Ends the process of a stopped server even if nothing reads its standard error: messages that a full pipe does not
 * accept would keep it running.
 */
export function exitThoughUnread(): void {
  setTimeout(() => process.exit(), UNREAD_MS).unref()
}
