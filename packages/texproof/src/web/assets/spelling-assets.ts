/**
 * Spelling in the browser: the worker of the editor, the Hunspell library that it loads, and dictionaries. The address
 * contains a hash of the worker and the versions of the packages, so browsers cache the files permanently. The worker is made,
 * and files are read, on first use; they are compressed once.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import type { Context } from 'hono'

import { acceptsGzip } from '../../domain/accepts-gzip.ts'
import { stripTypes } from './strip-types.ts'

/** Dictionaries by the names that the worker uses. */
const LANGUAGES = ['de', 'en', 'en-gb', 'es', 'fr', 'it', 'nl', 'pt']
/** Files of the library in its folders: they load each other by relative addresses. */
const LIBRARY = [
  ...['Hunspell', 'TypedArray', 'Utf8', 'Utilities', 'WasmMemoryManager'].map((name) => `dist/${name}.js`),
  'wasm/hunspell.js',
  'wasm/hunspell.wasm',
]
/** The scripts of the editor that run in the worker. */
const OWN = ['check-spelling', 'prose']
/** The worker runs WebAssembly; it has no access to pages or other hosts. */
const WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
  '.aff': 'text/plain; charset=utf-8',
  '.dic': 'text/plain; charset=utf-8',
}

const pack = promisify(gzip)
const packed = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()

/** Route of these files. */
export const spellingRoute = '/assets/:folder{spelling-[0-9a-f]+}/:rest{.+}'

interface SpellingFiles {
  readonly hash: string
  /** Scripts by their name. */
  readonly own: ReadonlyMap<string, string>
  /** Paths of files of packages by their name. */
  readonly paths: ReadonlyMap<string, string>
}

let files: SpellingFiles | null = null

/** Folder of the files; the worker is `check-spelling.js`. */
export function spellingFolder(): string {
  files ??= findFiles()
  return `/assets/spelling-${files.hash}/`
}

/** Sends one file. */
export async function sendSpellingAsset(c: Context): Promise<Response> {
  const name = c.req.param('rest') ?? ''
  const found = (files ??= findFiles())
  const isFile = found.own.has(name) || found.paths.has(name)
  if (!isFile || c.req.param('folder') !== `spelling-${found.hash}`) return c.notFound()
  const isPacked = acceptsGzip(c.req.header('accept-encoding'))
  return c.body(isPacked ? await readPacked(name, found) : await read(name, found), 200, {
    'content-type': CONTENT_TYPES[extname(name)] ?? 'application/octet-stream',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': WORKER_POLICY,
    vary: 'Accept-Encoding',
    ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
  })
}

function findFiles(): SpellingFiles {
  const library = findPackage('hunspell-wasm')
  const dictionaries = LANGUAGES.map((name) => ({ name, ...findPackage(`dictionary-${name}`) }))
  const own = new Map(OWN.map((name) => [`${name}.js`, readOwn(name)]))
  const paths = new Map([
    ...LIBRARY.map((name) => [name, join(library.folder, name)] as const),
    ...dictionaries.flatMap(({ name, folder }) =>
      ['aff', 'dic'].map((ending) => [`dictionaries/${name}.${ending}`, join(folder, `index.${ending}`)] as const),
    ),
  ])
  const hash = createHash('sha256')
  for (const part of [...own.values(), ...[library, ...dictionaries].map(({ version }) => version)]) hash.update(part)
  return { hash: hash.digest('hex').slice(0, 12), own, paths }
}

function findPackage(name: string): { readonly folder: string; readonly version: string } {
  const file = findPackageJSON(name, import.meta.url)
  if (file === undefined) throw new Error(`The package ${name} is not installed.`)
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }
  return { folder: dirname(file), version }
}

function readOwn(name: string): string {
  const source = readFileSync(fileURLToPath(new URL(`../editor/spelling/${name}.browser.ts`, import.meta.url)), 'utf8')
  return stripTypes(source).replaceAll(/'\.\/([\w-]+)\.browser\.ts'/g, "'./$1.js'")
}

function readPacked(name: string, found: SpellingFiles): Promise<Uint8Array<ArrayBuffer>> {
  const known = packed.get(name)
  if (known !== undefined) return known
  const packing = read(name, found).then(async (bytes) => new Uint8Array(await pack(bytes)))
  packed.set(name, packing)
  // The caller gets the error; the next call retries.
  packing.catch(() => packed.delete(name))
  return packing
}

async function read(name: string, { own, paths }: SpellingFiles): Promise<Uint8Array<ArrayBuffer>> {
  const text = own.get(name)
  return new Uint8Array(text === undefined ? await readFile(paths.get(name) ?? '') : Buffer.from(text))
}
