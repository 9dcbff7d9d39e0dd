/** Ends the process at once. The signal may reach another thread first, so this one must not go on meanwhile. */
export function killSelf(): void {
  process.kill(process.pid, 'SIGKILL')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
