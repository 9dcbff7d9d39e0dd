/**
 * Whether a file operation failed because nothing is at the path. Every other error (out of descriptors, no permission,
 * a bad disk) says nothing about what is there and must not be read as an answer.
 */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

/** For `catch`: gives `fallback` when nothing is at the path, and throws every other error. */
export function whenAbsent<Fallback>(fallback: Fallback): (error: unknown) => Fallback {
  return (error) => {
    if (isAbsent(error)) return fallback
    throw error
  }
}

/** The same for synchronous reads. */
export function readUnlessAbsent<Value, Fallback>(read: () => Value, fallback: Fallback): Value | Fallback {
  try {
    return read()
  } catch (error) {
    return whenAbsent(fallback)(error)
  }
}
