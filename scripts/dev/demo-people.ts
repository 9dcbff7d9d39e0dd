import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Their passwords by their names. */
export type DemoPeople = Readonly<Record<string, string>>

/** The demonstration in a data directory, or on its way there. */
export interface BroughtDemo {
  /** Who is in it, known while papers are still built; null when it failed, with why in `words`. */
  readonly people: Promise<DemoPeople | null>
  /** All that the command has said so far. */
  readonly words: () => string
  stop(): void
}

const texproof = 'packages/texproof/bin/texproof'

/**
 * Loads the demonstration by the command that everybody has, unless an earlier start has; resolves as soon as there is
 * an administrator.
 */
export async function bringDemo(dataDir: string): Promise<BroughtDemo> {
  const file = join(dataDir, 'demo-people.json')
  const known = await readFile(file, 'utf8').catch(() => null)
  if (known !== null) return { people: Promise.resolve(parsePeople(known)), words: () => '', stop: () => {} }
  // What an earlier start began and did not finish goes first: nobody knows its passwords.
  if (existsSync(join(dataDir, 'texproof.db'))) await runTexproof(['demo', '--clean', '--data', dataDir]).ended
  const { answered, firstMade, words, stop } = runTexproof(['demo', '--json', '--data', dataDir])
  const people = answered.then(async (text) => {
    if (text !== null) await writeFile(file, text, { mode: 0o600 })
    return text === null ? null : parsePeople(text)
  })
  await firstMade
  return { people, words, stop }
}

function parsePeople(text: string): DemoPeople {
  return JSON.parse(text) as DemoPeople
}

/** `answered` = its line on standard output, null when it ended without one. */
function runTexproof(args: readonly string[]) {
  const child = spawn(texproof, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>((resolve) => {
    child.on('error', () => resolve())
    child.on('close', () => resolve())
  })
  const answered = new Promise<string | null>((resolve) => {
    child.stdout.setEncoding('utf8').once('data', resolve)
    void ended.then(() => resolve(null))
  })
  let words = ''
  const firstMade = new Promise<void>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      words += chunk
      if (/^ {2}made /m.test(words)) resolve()
    })
    void ended.then(() => resolve())
  })
  return { ended, answered, firstMade, words: () => words, stop: () => void child.kill() }
}
