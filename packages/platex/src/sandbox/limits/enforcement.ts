import type { SandboxWeakness } from '../types.ts'

/**
 * What enforces the limits of a whole compile. Null = the kernel does; otherwise a watcher looks every few milliseconds
 * and kills, which a hostile document can overshoot for a moment, and the value says what the kernel lacks.
 */
export interface LimitEnforcement {
  readonly disk: SandboxWeakness | null
  readonly memory: SandboxWeakness | null
}

/** The folder of a compile lies on disk and is watched. */
export function watchedDisk(reason: string): SandboxWeakness {
  return {
    code: 'DISK_WATCHED',
    reason: `Compiles write to a folder on disk of unlimited size: ${reason}`,
    remedy:
      'Install util-linux and mount, and let the service mount a tmpfs: as an ordinary user in a user namespace, ' +
      'as root with CAP_SYS_ADMIN.',
  }
}

/** The memory of a compile is watched. */
export function watchedMemory(reason: string): SandboxWeakness {
  return {
    code: 'MEMORY_WATCHED',
    reason: `The kernel does not limit the memory of a whole compile: ${reason}`,
    remedy:
      'Hand a control group over to the service: systemd unit with Delegate=yes, or systemd-run --user --scope -p ' +
      'Delegate=yes, or a container with a writable /sys/fs/cgroup (cgroup v2).',
  }
}
