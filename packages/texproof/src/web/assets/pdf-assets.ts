/**
 * pdf.js for the browser: library, viewer, worker, and the font and image data that the worker fetches by name. Files
 * keep their package names under an address with the version, so browsers cache them permanently. Files are read on first
 * use and compressed once.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

import type { Context } from 'hono'

import { acceptsGzip } from '../../domain/accepts-gzip.ts'

const packageFile = fileURLToPath(import.meta.resolve('pdfjs-dist/package.json'))
const packageDir = dirname(packageFile)
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { readonly version: string }

const SCRIPTS = ['build/pdf.min.mjs', 'build/pdf.worker.min.mjs', 'web/pdf_viewer.mjs']
/** Data that the worker fetches by name. Scripts in PDFs are never run, so the script interpreter is omitted. */
const DATA_FOLDERS = ['cmaps', 'standard_fonts', 'iccs', 'wasm']
const NOTE_ICON = 'note-icon'

/** The worker decodes images with WebAssembly; it has no access to pages or other hosts. */
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.mjs': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
}

const files: ReadonlySet<string> = new Set([...SCRIPTS, ...DATA_FOLDERS.flatMap(listFolder)])
const noteIcons: ReadonlySet<string> = new Set(
  listFolder('web/images').filter((file) => file.startsWith('web/images/annotation-')),
)
const packed = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()
const pack = promisify(gzip)

/** Where the files of pdf.js are served; `wasm` and the others are folders and end with a slash. */
export const pdfAssets = {
  library: addressOf('build/pdf.min.mjs'),
  viewer: addressOf('web/pdf_viewer.mjs'),
  worker: addressOf('build/pdf.worker.min.mjs'),
  cmaps: addressOf('cmaps/'),
  fonts: addressOf('standard_fonts/'),
  colors: addressOf('iccs/'),
  wasm: addressOf('wasm/'),
  /**
   * The viewer appends the name of an icon, which it takes from the PDF without a check. In a query, no name leads to another
   * address of this host.
   */
  noteIcon: `${addressOf(NOTE_ICON)}?name=`,
} as const

/** Route of these files. */
export const pdfAssetRoute = `${addressOf('')}:rest{.+}`

/** Sends one file of pdf.js. */
export async function sendPdfAsset(c: Context): Promise<Response> {
  const asked = c.req.param('rest') ?? ''
  const name = asked === NOTE_ICON ? findNoteIcon(c.req.query('name')) : asked
  if (!files.has(name) && !noteIcons.has(name)) return c.notFound()
  const isScript = SCRIPTS.includes(name)
  const isPacked = isScript && acceptsGzip(c.req.header('accept-encoding'))
  const headers: Record<string, string> = {
    'content-type': CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
    'cache-control': 'public, max-age=31536000, immutable',
  }
  if (name.includes('worker')) headers['content-security-policy'] = WORKER_POLICY
  if (isScript) headers['vary'] = 'Accept-Encoding'
  if (isPacked) headers['content-encoding'] = 'gzip'
  return c.body(isPacked ? await readPacked(name) : await read(name), 200, headers)
}

/** Icons that the viewer does not have look like notes. */
function findNoteIcon(name: string | undefined): string {
  const file = `web/images/${name}`
  return noteIcons.has(file) ? file : 'web/images/annotation-note.svg'
}

function listFolder(folder: string): string[] {
  return readdirSync(join(packageDir, folder))
    .filter((file) => !/^(?:LICENSE|quickjs)/.test(file))
    .map((file) => `${folder}/${file}`)
}

function addressOf(name: string): string {
  return `/assets/pdfjs-${version}/${name}`
}

function readPacked(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const known = packed.get(name)
  if (known !== undefined) return known
  const packing = read(name).then(async (bytes) => copy(await pack(bytes, { level: constants.Z_BEST_COMPRESSION })))
  packed.set(name, packing)
  // The caller gets the error; the next call retries.
  packing.catch(() => packed.delete(name))
  return packing
}

async function read(name: string): Promise<Uint8Array<ArrayBuffer>> {
  return copy(await readFile(join(packageDir, name)))
}

function copy(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}
