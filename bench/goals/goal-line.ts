/** The line by which other programs read whether a benchmark meets its goal. */
export function goalLine(
  name: string,
  measured: number,
  { wanted, kind = 'most' }: { readonly wanted: number; readonly kind?: 'most' | 'least' },
): string {
  const isMet = kind === 'most' ? measured <= wanted : measured >= wanted
  return `goal ${name} measured ${measured.toFixed(2)} wanted ${wanted} ${isMet ? 'met' : 'short'}`
}
