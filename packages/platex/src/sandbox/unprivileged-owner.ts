/** Who owns confined processes and their workspaces when the service itself runs as root. */
export interface UnprivilegedOwner {
  readonly uid: number
  readonly gid: number
}

/**
 * An id without an account: Debian reserves 65000–65533, and user namespaces that map 65536 ids still hold it.
 * `nobody` will not do, because other services run as it and the kernel counts processes per user.
 */
const UNPRIVILEGED_ID = 65_533

/**
 * Tells whom to run confined programs as: null = as ourselves.
 *
 * The kernel does not limit the number of processes of uid 0, so nothing of a document ever runs as root.
 */
export function chooseOwner(): UnprivilegedOwner | null {
  return process.getuid?.() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : null
}
