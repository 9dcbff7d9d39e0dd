const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** `0 B`, `1.2 kB`, `20 GB`: powers of 1024, as in settings, so that a limit is shown as it was set. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${value < 100 ? Number(value.toFixed(1)) : Math.round(value)} ${UNITS[power] ?? 'B'}`
}
