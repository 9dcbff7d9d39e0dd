import { execFileSync } from 'node:child_process'
import { inflateSync } from 'node:zlib'

/** The secrets that a response contains, in any form in which a document can put them there. */
export function findLeaks(answer: string, pdf: Uint8Array | null, secrets: readonly string[]): readonly string[] {
  const views = [answer, ...(pdf === null ? [] : pdfViews(Buffer.from(pdf)))]
  const flat = views.map((view) => view.toLowerCase())
  return secrets.filter((secret) =>
    formsOf(secret.toLowerCase()).some((form) => flat.some((view) => view.includes(form))),
  )
}

function formsOf(secret: string): readonly string[] {
  const hex = (encoding: BufferEncoding) => Buffer.from(secret, encoding).toString('hex')
  return [
    secret,
    hex('latin1'),
    hex('utf16le'),
    [...secret].join('\0'),
    [...secret].join(' '),
    Buffer.from(secret).toString('base64').slice(0, -4).toLowerCase(),
  ]
}

/** The bytes of a PDF, its inflated streams, their text without kerning, and the text that a reader extracts. */
function pdfViews(pdf: Buffer): readonly string[] {
  const streams = inflatedStreams(pdf)
  return [pdf.toString('latin1'), ...streams, ...streams.map(shownText), readText(pdf)]
}

function inflatedStreams(pdf: Buffer): readonly string[] {
  const found: string[] = []
  let at = pdf.indexOf('stream')
  while (at !== -1 && found.length < 5000) {
    const start = at + 'stream'.length + (pdf[at + 'stream'.length] === 0x0d ? 2 : 1)
    const end = pdf.indexOf('endstream', start)
    if (end === -1) break
    try {
      const content = inflateSync(pdf.subarray(start, end), { maxOutputLength: 50_000_000, finishFlush: 2 })
      found.push(content.toString('latin1'))
    } catch {
      // Not compressed: its bytes are in the first view.
    }
    at = pdf.indexOf('stream', end + 'endstream'.length)
  }
  return found
}

/** `[(can)-3(ary)]TJ` → `canary`. */
function shownText(content: string): string {
  return [...content.matchAll(/\(((?:[^()\\]|\\.)*)\)/g)].map((match) => match[1] ?? '').join('')
}

function readText(pdf: Buffer): string {
  try {
    return execFileSync('pdftotext', ['-', '-'], {
      input: pdf,
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
      .toString('utf8')
      .replaceAll(/\s/g, '')
  } catch {
    return '' // Not a readable PDF, or no reader installed: the other views remain.
  }
}
