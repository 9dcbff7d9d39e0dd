/** `npm start` passes a Ctrl+C on to the server, to which the terminal has sent it, too. Nobody repeats it as fast. */
const ECHO_MS = 500

const EXIT_CODES: Readonly<Partial<Record<NodeJS.Signals, number>>> = { SIGTERM: 143, SIGINT: 130, SIGHUP: 129 }

/**
 * Resolves at the first SIGTERM, SIGINT or SIGHUP (the terminal was closed) with its name; a second one ends the process
 * immediately.
 */
export function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | null = null
    const onSignal = (signal: NodeJS.Signals): void => {
      if (firstAt !== null && performance.now() - firstAt < ECHO_MS) return
      if (firstAt !== null) process.exit(EXIT_CODES[signal])
      firstAt = performance.now()
      resolve(signal)
    }
    for (const signal of Object.keys(EXIT_CODES)) process.on(signal, onSignal)
  })
}
