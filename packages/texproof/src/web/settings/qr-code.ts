import { html } from 'hono/html'
import { correction, generate } from 'lean-qr'
import type { Bitmap2D } from 'lean-qr'

import type { Html } from '../ui/html.ts'

/** Light modules around the code, as required by the standard. */
const MARGIN = 4

/** A QR code, dark on light in every theme, because cameras require it. */
export function qrCode(text: string, { label }: { readonly label: string }): Html {
  const code = generate(text, { minCorrectionLevel: correction.M })
  const side = code.size + 2 * MARGIN
  return html`<svg
    class="qr-code"
    viewBox="0 0 ${side} ${side}"
    role="img"
    aria-label="${label}"
    shape-rendering="crispEdges"
  >
    <rect width="${side}" height="${side}" fill="#fff" />
    <path d="${drawRows(code)}" fill="#000" />
  </svg>`
}

/** One stroke for each run of dark modules. */
function drawRows(code: Bitmap2D): string {
  let path = ''
  for (let y = 0; y < code.size; y += 1)
    for (let x = 0; x < code.size; x += 1) {
      const start = x
      while (code.get(x, y)) x += 1
      if (x > start) path += `M${start + MARGIN} ${y + MARGIN}h${x - start}v1h-${x - start}z`
    }
  return path
}
