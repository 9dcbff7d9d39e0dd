import { posix } from 'node:path'

/** How the bytes of a file may be shown. */
export type FileKind = 'text' | 'image' | 'pdf' | 'binary'

const IMAGE_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
}

/** Detects by name and bytes what a file is; without bytes, by its name. */
export function fileKind(path: string, bytes: Uint8Array): FileKind {
  const ending = posix.extname(path).toLowerCase()
  const isText = !bytes.subarray(0, 8000).includes(0)
  // Every image except SVG has null bytes in its header. A pointer of Git LFS, for example, is text.
  if (ending in IMAGE_TYPES) return isText && bytes.length > 0 && ending !== '.svg' ? 'text' : 'image'
  if (ending === '.pdf') return 'pdf'
  return isText ? 'text' : 'binary'
}

/** Whether a file has lines to read, by its kind, or by its name alone. SVG is both an image and text. */
export function hasLines(path: string, kind: FileKind = fileKind(path, new Uint8Array())): boolean {
  return kind === 'text' || isSvg(path)
}

/** Whether a file is an image whose source is text. */
export function isSvg(path: string): boolean {
  return posix.extname(path).toLowerCase() === '.svg'
}

const FIGURE_KINDS: Readonly<Record<string, 'eps' | 'tiff' | 'pdf'>> = {
  '.eps': 'eps',
  '.tif': 'tiff',
  '.tiff': 'tiff',
  '.pdf': 'pdf',
}

/** The kind of a figure that browsers do not show as an image; null for all other files. */
export function figureKind(path: string): 'eps' | 'tiff' | 'pdf' | null {
  return FIGURE_KINDS[posix.extname(path).toLowerCase()] ?? null
}

/** The media type of raw bytes: never one that a browser executes on this origin. */
export function rawContentType(path: string, kind: FileKind): string {
  if (kind === 'image') return IMAGE_TYPES[posix.extname(path).toLowerCase()] ?? 'application/octet-stream'
  if (kind === 'pdf') return 'application/pdf'
  return kind === 'text' ? 'text/plain; charset=utf-8' : 'application/octet-stream'
}
