/** Pixels as decoders return them: four bytes each, red, green, blue, alpha, row by row. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray
}

/**
 * Scales the center square of an image. Each new pixel is the mean of the area it covers, with colors weighted by their
 * alpha, so that transparent edges keep their color.
 */
export function shrinkToSquare({ width, height, data }: Pixels, side: number): Pixels {
  const cut = Math.min(width, height)
  const columns = coverage({ start: Math.floor((width - cut) / 2), length: cut, side })
  const rows = coverage({ start: Math.floor((height - cut) / 2), length: cut, side })
  const result = new Uint8ClampedArray(side * side * 4)
  for (const [y, row] of rows.entries())
    for (const [x, column] of columns.entries()) {
      let [red, green, blue, opacity, area] = [0, 0, 0, 0, 0]
      for (const { at: sourceY, share: shareY } of row)
        for (const { at: sourceX, share: shareX } of column) {
          const from = (sourceY * width + sourceX) * 4
          const share = shareX * shareY
          const weight = share * (data[from + 3] ?? 0)
          red += weight * (data[from] ?? 0)
          green += weight * (data[from + 1] ?? 0)
          blue += weight * (data[from + 2] ?? 0)
          opacity += weight
          area += share
        }
      if (opacity > 0) result.set([red / opacity, green / opacity, blue / opacity, opacity / area], (y * side + x) * 4)
    }
  return { width: side, height: side, data: result }
}

interface Share {
  /** Column or row of the source. */
  readonly at: number
  /** The fraction that is covered, up to 1. */
  readonly share: number
}

/** The old columns or rows that each new column or row covers. */
function coverage({
  start,
  length,
  side,
}: {
  readonly start: number
  readonly length: number
  readonly side: number
}): readonly (readonly Share[])[] {
  const step = length / side
  return Array.from({ length: side }, (_, index) => {
    const from = index * step
    const to = Math.min(from + step, length)
    const first = Math.floor(from)
    const count = Math.max(1, Math.ceil(to) - first)
    return Array.from({ length: count }, (_unused, offset) => ({
      at: start + first + offset,
      share: Math.min(to, first + offset + 1) - Math.max(from, first + offset),
    })).filter(({ share }) => share > 1e-9)
  })
}
