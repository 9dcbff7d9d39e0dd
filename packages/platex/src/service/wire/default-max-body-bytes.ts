import type { ResolvedLimits } from '../../options/check-limits.ts'

/**
 * The smallest ceiling for a body under which every request that is legal by `limits` fits: base64 adds a third to
 * files, JSON escapes may double the source, and a MiB carries names and keys. 44,381,910 with default limits.
 */
export function defaultMaxBodyBytes(limits: ResolvedLimits): number {
  return Math.ceil((limits.maxTotalFilesBytes * 4) / 3) + 2 * limits.maxSourceBytes + 1024 * 1024
}
