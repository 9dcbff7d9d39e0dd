/**
 * Limits concurrent password checks, each of which takes 128 MB and a thread: some run, some wait, and the rest are
 * refused.
 */
import { createLimiter, TooManyWaiting } from '../../base/limiter.ts'
import { hashOfNobody, hashPassword, verifyPassword } from './hash-password.ts'

const atOnce = 2
const waitingAtMost = 30

/** Too many passwords are being checked. */
export class TooManyPasswordChecks extends Error {
  override readonly name = 'TooManyPasswordChecks'
  readonly code = 'TOO_MANY_PASSWORD_CHECKS'
}

const limiter = createLimiter({ atOnce, maxWaiting: waitingAtMost })

/**
 * Checks a password against a stored hash; null = an account that does not exist, which takes the same time.
 *
 * @throws TooManyPasswordChecks
 */
export async function checkPassword(password: string, stored: string | null): Promise<boolean> {
  const isRight = await inTurn(() => verifyPassword(password, stored ?? hashOfNobody))
  return isRight && stored !== null
}

/** @throws TooManyPasswordChecks */
export function hashNewPassword(password: string): Promise<string> {
  return inTurn(() => hashPassword(password))
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await limiter.run('', work)
  } catch (error) {
    throw error instanceof TooManyWaiting ? new TooManyPasswordChecks('too many passwords at once') : error
  }
}
