/** Resolves at the first SIGTERM or SIGINT with its name; a second one ends the process immediately. */
export function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isEnding = false
    const onSignal = (signal: NodeJS.Signals): void => {
      if (isEnding) process.exit(signal === 'SIGINT' ? 130 : 143)
      isEnding = true
      resolve(signal)
    }
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  })
}
