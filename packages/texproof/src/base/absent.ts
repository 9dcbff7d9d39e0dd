/**
 * Whether a file operation failed because the path does not exist. Other errors (no free descriptors, no permission, a
 * defective disk) say nothing about the path and must not be treated as absence.
 */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/** Handler for `catch`: returns `fallback` if the path does not exist, and throws every other error. */
export function whenAbsent<Fallback>(fallback: Fallback): (error: unknown) => Fallback {
  return (error) => {
    if (isAbsent(error)) return fallback
    throw error
  }
}

/** Like `whenAbsent`, for synchronous reads. */
export function readUnlessAbsent<Value, Fallback>(read: () => Value, fallback: Fallback): Value | Fallback {
  try {
    return read()
  } catch (error) {
    return whenAbsent(fallback)(error)
  }
}
