/** A password is hashed with 128 MB and a thread: so only some at once, some waiting, and the rest told to come back. */
import { hashOfNobody, hashPassword, verifyPassword } from './hash-password.ts'

const atOnce = 2
const waitingAtMost = 30

/** Too many passwords are being checked. */
export class PasswordGateFull extends Error {
  override readonly name = 'PasswordGateFull'
  readonly code = 'PASSWORD_GATE_FULL'
}

let running = 0
const waiting: (() => void)[] = []

/**
 * Checks a password against a stored hash; null stands for an account that does not exist and costs the same time.
 *
 * @throws PasswordGateFull
 */
export async function checkPassword(password: string, stored: string | null): Promise<boolean> {
  const isRight = await throughGate(() => verifyPassword(password, stored ?? hashOfNobody))
  return isRight && stored !== null
}

/** @throws PasswordGateFull */
export function hashNewPassword(password: string): Promise<string> {
  return throughGate(() => hashPassword(password))
}

async function throughGate<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= atOnce) {
    if (waiting.length >= waitingAtMost) throw new PasswordGateFull('too many passwords at once')
    // The place is handed over by the one who leaves.
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else {
    running += 1
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}
