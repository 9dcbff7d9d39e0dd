const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** `0 B`, `512 B`, `1.2 kB`, `34.5 MB`, `271 GB`: decimal, three figures at most. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${power > 0 && value < 100 ? value.toFixed(1) : Math.round(value)} ${UNITS[power] ?? 'B'}`
}
