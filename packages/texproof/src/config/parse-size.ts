const unitBytes = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 } as const

/** `500m`, `2g`, `64k` (powers of 1024) or plain bytes; null for anything else and for nothing at all. */
export function parseSize(text: string): number | null {
  const match = /^(\d{1,12})([kmg]?)$/.exec(text.trim().toLowerCase())
  const unit = match?.[2]
  if (unit !== '' && unit !== 'k' && unit !== 'm' && unit !== 'g') return null
  const bytes = Number(match?.[1]) * unitBytes[unit]
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : null
}
