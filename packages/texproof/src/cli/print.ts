/** Writes data to standard output and resolves after it is flushed, so that no output is lost on exit. */
export function print(bytes: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => {
      if (error) reject(error)
      else resolve()
    })
  })
}

/** Writes one value as JSON with a final newline. */
export function printJson(value: unknown): Promise<void> {
  return print(`${JSON.stringify(value, null, 2)}\n`)
}
