/** `npm start` passes a Ctrl+C on to the server, to which the terminal has sent it, too. Nobody repeats it as fast. */
const ECHO_MS = 500

/** Resolves at the first SIGTERM or SIGINT with its name; a second one ends the process immediately. */
export function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | null = null
    const onSignal = (signal: NodeJS.Signals): void => {
      if (firstAt !== null && performance.now() - firstAt < ECHO_MS) return
      if (firstAt !== null) process.exit(signal === 'SIGINT' ? 130 : 143)
      firstAt = performance.now()
      resolve(signal)
    }
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  })
}
