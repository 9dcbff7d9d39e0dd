const FACTOR = 30

/**
 * Lets every push to a host of this process wait five minutes for its builds instead of ten seconds: for tests that
 * compare what the push says about them, even on a slow machine.
 */
export function letPushesWait(): void {
  const { timeout } = AbortSignal
  AbortSignal.timeout = (ms) => timeout.call(AbortSignal, FACTOR * ms)
}
