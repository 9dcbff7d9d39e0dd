/** Gives the result if it comes soon enough, else null; the work goes on. */
export async function waitAtMost<Result>(patienceMs: number, work: Promise<Result>): Promise<Result | null> {
  const { promise: tooLate, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), patienceMs)
  try {
    return await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
