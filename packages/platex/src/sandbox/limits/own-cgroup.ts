export const CGROUP_ROOT = '/sys/fs/cgroup'

/** Path of the process's group in the unified hierarchy, from the text of /proc/self/cgroup; null on cgroup v1. */
export function ownCgroup(text: string): string | null {
  return /^0::(\/.*)$/m.exec(text)?.[1] ?? null
}
