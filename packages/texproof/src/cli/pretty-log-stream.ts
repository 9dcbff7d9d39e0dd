import { Writable } from 'node:stream'

/** Turns the JSON lines of the log into readable lines: `12:03:04 error  push failed  repositoryId=12`. */
export function prettyLogStream(): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString('utf8').split('\n'))
        if (line !== '') process.stderr.write(`${presentLine(line)}\n`)
      done()
    },
  })
}

function presentLine(line: string): string {
  const { ts, level, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>
  const fields = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const head = [String(ts).slice(11, 19), String(level).padEnd(5), String(msg ?? ''), ...fields].join('  ')
  return err === undefined ? head : `${head}\n${presentError(err)}`
}

function presentError(error: unknown): string {
  const stack =
    typeof error === 'object' && error !== null && 'stack' in error ? String(error.stack) : JSON.stringify(error)
  return stack.replaceAll(/^/gm, '          ')
}
