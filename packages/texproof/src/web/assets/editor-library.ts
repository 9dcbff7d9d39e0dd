/**
 * CodeMirror and Yjs for the browser: the modules that the editor imports, as their packages publish them. Only their import
 * specifiers are replaced by addresses, so nothing is bundled or built. The address contains a hash of all modules, so
 * browsers cache them permanently. Files are read on first use and compressed once.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

import type { Context } from 'hono'

import { acceptsGzip } from '../../domain/accepts-gzip.ts'

/** Packages imported by the scripts of the editor; what these import in turn is found in their files. */
const FIRST_ENTRIES = [
  '@codemirror/autocomplete',
  '@codemirror/commands',
  '@codemirror/language',
  '@codemirror/legacy-modes/mode/stex',
  '@codemirror/lint',
  '@codemirror/search',
  '@codemirror/state',
  '@codemirror/view',
  '@lezer/highlight',
  'y-codemirror.next',
  'yjs',
]
/** Packages that the scripts load on first use. */
const LAZY_ENTRIES = ['@replit/codemirror-emacs', '@replit/codemirror-vim', 'diff']

/** Conditions of `exports` that a module for browsers meets. */
const CONDITIONS: ReadonlySet<string> = new Set(['browser', 'module', 'import', 'default'])

/** The specifier of a static import or re-export at the start of a line: group 1 is what precedes it. */
const IMPORT = /^(import\s[^'"]*?from\s*|export\s*(?:\{[^}]*\}|\*)\s*from\s*|import\s*)(["'])([^"']+)\2/gm

const pack = promisify(gzip)
const packed = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()

/** Route of these modules. */
export const editorLibraryRoute = '/assets/:folder{editor-[0-9a-f]+}/:file'

interface Library {
  /** The files of the entry points, by their import specifiers. */
  readonly entries: ReadonlyMap<string, string>
  /** Address of the folder, with a final slash. */
  readonly folder: string
  /** All files, by their names in the folder. */
  readonly names: ReadonlyMap<string, string>
  /** The addresses of the modules that the editor needs at once. */
  readonly firstAddresses: readonly string[]
}

let library: Library | null = null

/** Found on first use, because the start of a server should not wait for a hundred files. */
function openLibrary(): Library {
  library ??= findLibrary()
  return library
}

function findLibrary(): Library {
  const specifiers = [...FIRST_ENTRIES, ...LAZY_ENTRIES]
  const entries = new Map(specifiers.map((specifier) => [specifier, fileURLToPath(import.meta.resolve(specifier))]))
  const files = findFiles(entries.values())
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  const folder = `/assets/editor-${hash.digest('hex').slice(0, 12)}/`
  const first = findFiles(FIRST_ENTRIES.map((specifier) => entries.get(specifier) ?? ''))
  return {
    entries,
    folder,
    names: new Map([...files].map((file) => [fileName(file), file])),
    firstAddresses: [...first].map((file) => `${folder}${fileName(file)}`),
  }
}

/** The address of a module by its import specifier; null for a package that the editor does not use. */
export function libraryAddress(specifier: string): string | null {
  const file = openLibrary().entries.get(specifier)
  return file === undefined ? null : addressOf(file)
}

/** The addresses of the modules that the editor needs at once. */
export function listLibraryAddresses(): readonly string[] {
  return openLibrary().firstAddresses
}

/** Replaces the specifiers of static imports. `addressOf` returns null to leave a specifier as it is. */
export function replaceImports(source: string, addressOf: (specifier: string) => string | null): string {
  return source.replaceAll(IMPORT, (whole, before: string, quote: string, specifier: string) => {
    const address = addressOf(specifier)
    return address === null ? whole : `${before}${quote}${address}${quote}`
  })
}

/** Sends one module. */
export async function sendEditorModule(c: Context): Promise<Response> {
  const { folder, names } = openLibrary()
  const name = c.req.param('file') ?? ''
  const file = names.get(name)
  if (file === undefined || c.req.path !== `${folder}${name}`) return c.notFound()
  const isPacked = acceptsGzip(c.req.header('accept-encoding'))
  return c.body(isPacked ? await readPacked(name, file) : new Uint8Array(readModule(file)), 200, {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
    ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
  })
}

function readPacked(name: string, file: string): Promise<Uint8Array<ArrayBuffer>> {
  const known = packed.get(name)
  if (known !== undefined) return known
  const packing = pack(readModule(file), { level: constants.Z_BEST_COMPRESSION }).then((bytes) => new Uint8Array(bytes))
  packed.set(name, packing)
  // The caller gets the error; the next call retries.
  packing.catch(() => packed.delete(name))
  return packing
}

function readModule(file: string): Buffer {
  return Buffer.from(replaceImports(readFileSync(file, 'utf8'), (specifier) => addressOf(findModule(specifier, file))))
}

function addressOf(file: string): string {
  return `${openLibrary().folder}${fileName(file)}`
}

/** `…/node_modules/lib0/dist/map.js` → `lib0-dist-map.js`. */
function fileName(file: string): string {
  const name = file.slice(file.lastIndexOf('/node_modules/') + '/node_modules/'.length)
  return `${name
    .replace(/\.m?js$/, '')
    .replace('@', '')
    .replaceAll(/[/.]/g, '-')}.js`
}

/** Files and what they import, in import order. */
function findFiles(entryFiles: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>()
  const add = (file: string): void => {
    if (found.has(file)) return
    found.add(file)
    for (const [, , , imported = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) add(findModule(imported, file))
  }
  for (const file of entryFiles) add(file)
  return found
}

/** A target of `exports`: a file, or one for each condition. */
type Target = string | { readonly [condition: string]: Target }

/** The module that a file imports. */
function findModule(specifier: string, importer: string): string {
  const base = pathToFileURL(importer)
  if (specifier.startsWith('.')) return fileURLToPath(new URL(specifier, base))
  const packageFile = findPackageJSON(specifier, base)
  if (packageFile === undefined) throw new Error(`${importer} imports ${specifier}, which is not installed.`)
  const { name, exports } = JSON.parse(readFileSync(packageFile, 'utf8')) as {
    readonly name: string
    readonly exports: Readonly<Record<string, Target>>
  }
  const target = '.' in exports ? exports[`.${specifier.slice(name.length)}`] : exports
  const file = target === undefined ? null : findTarget(target)
  if (file === null) throw new Error(`${importer} imports ${specifier}, which its package does not export.`)
  return fileURLToPath(new URL(file, pathToFileURL(packageFile)))
}

/** The first file for browsers. */
function findTarget(target: Target): string | null {
  if (typeof target === 'string') return target
  for (const [condition, inner] of Object.entries(target)) {
    const file = CONDITIONS.has(condition) ? findTarget(inner) : null
    if (file !== null) return file
  }
  return null
}
