/**
 * Style sheet, scripts, fonts and the logo: read once, served under a name that contains their hash, immutable. The
 * style sheet refers to the fonts by relative addresses, so it is filled in after their hashes are known. Scripts are
 * made, and assets compressed, on first use: that takes longer than most of a start.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

import { paperStartNames, readTemplatePicture, type PaperStart } from '../../templates/paper-starts.ts'
import { libraryAddress, listLibraryAddresses, replaceImports } from './editor-library.ts'
import { iconDrawing, type IconName } from './icon-drawings.ts'
import { stripTypes } from './strip-types.ts'

export interface Asset {
  /** Path under the site's root. */
  readonly path: string
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The same, compressed by gzip; null for formats that are already compressed. */
  packed(): Uint8Array<ArrayBuffer> | null
}

const FONTS = {
  serif: '@fontsource-variable/newsreader/files/newsreader-latin-wght-normal.woff2',
  'serif-italic': '@fontsource-variable/newsreader/files/newsreader-latin-wght-italic.woff2',
  sans: '@fontsource-variable/public-sans/files/public-sans-latin-wght-normal.woff2',
  mono: '@fontsource/commit-mono/files/commit-mono-latin-400-normal.woff2',
}

/** Parts of the style sheet in cascade order. */
const STYLES = [
  'shell/styles/tokens',
  'shell/styles/base',
  'shell/styles/shell',
  'shell/styles/controls',
  'home/home',
  'repository/repository',
  'repository/refs',
  'ui/document/paper-card',
  'content/prose',
  'content/markdown/math',
  'files/code',
  'content/notebook/notebook',
  'history/changes',
  'history/pages/pages',
  'pdf/pdf',
  'builds/builds',
  'edit/edit',
  'account/account',
  'admin/admin',
  'docs/docs',
  'preview/preview',
  'shell/styles/narrow-and-print',
]

/** Styles of pages with an editor only, after the others. */
const EDITOR_STYLES = ['editor/editor', 'editor/project/project-search']

/** Folder of each script `NAME.browser.ts`; `page` is on every page, the others where a page names them. */
const SCRIPTS = {
  page: 'shell',
  passkey: 'ui/form',
  'code-lines': 'files',
  'find-file': 'search',
  'pdf-viewer': 'ui/document',
  'pdf-live': 'ui/document',
  'build-live': 'ui',
  'show-in-pdf': 'files',
  editor: 'editor',
  preview: 'preview',
  live: 'admin',
  'try-it': 'docs',
  'compare-pages': 'history/pages',
} as const

export type ScriptName = keyof typeof SCRIPTS

const fonts = Object.entries(FONTS).map(([name, file]) => ({
  name,
  asset: makeAsset(`${name}.woff2`, 'font/woff2', readFileSync(fileURLToPath(import.meta.resolve(file)))),
}))

/** The style sheet of every page. */
export const styleSheet = makeStyleSheet('texproof.css', STYLES)
/** The style sheet of pages with an editor, after the other. */
export const editorStyleSheet = makeStyleSheet('editor.css', EDITOR_STYLES)
/** The logo, also the favicon. */
export const mark = makeAsset('mark.svg', 'image/svg+xml', Buffer.from(readOwn('shell/styles/mark.svg')))
/** Fonts needed for the first paint of every page. */
export const firstFonts = fonts.filter(({ name }) => name !== 'serif-italic').map(({ asset }) => asset)

/** A script or a package that a script loads on first use. */
const LAZY_IMPORT = /\bimport\('([^']+)'\)/g

/** Scripts by their file, including those that others import. */
const modules = new Map<string, Asset>()
/** The scripts that each file imports, except on first use. */
const imports = new Map<string, readonly string[]>()

const pictures = new Map(
  paperStartNames.map((start) => [start, makeAsset(`${start}.png`, 'image/png', readTemplatePicture(start))]),
)

let assets: ReadonlyMap<string, Asset> | null = null

/** The asset served at a path, or null. */
export function findAsset(path: string): Asset | null {
  assets ??= collectAssets()
  return assets.get(path) ?? null
}

/** All of them: a browser may ask for a script before this process has served the page that names it. */
function collectAssets(): ReadonlyMap<string, Asset> {
  for (const name of Object.keys(SCRIPTS)) scriptPath(name as ScriptName)
  const files = [...fonts.map(({ asset }) => asset), ...pictures.values(), ...modules.values()]
  return new Map([styleSheet, editorStyleSheet, mark, ...files].map((asset) => [asset.path, asset]))
}

/** Path under which a script is served. */
export function scriptPath(name: ScriptName): string {
  return makeScript(`${SCRIPTS[name]}/${name}.browser.ts`).path
}

/** Path of the first page of a template. */
export function templatePicturePath(start: PaperStart): string {
  return pictures.get(start)?.path ?? ''
}

/** The modules that the editor imports, for the browser to load all at once. Those it loads on first use are omitted. */
export function listEditorModules(): readonly string[] {
  return [
    ...listLibraryAddresses(),
    ...[...withImports('editor/editor.browser.ts')].map((file) => makeScript(file).path),
  ]
}

function withImports(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found
  found.add(file)
  makeScript(file)
  for (const imported of imports.get(file) ?? []) withImports(imported, found)
  return found
}

/** The source without types. A script imports other scripts by their relative paths, and the library of the editor. */
function makeScript(file: string): Asset {
  const known = modules.get(file)
  if (known !== undefined) return known
  const imported: string[] = []
  const resolveScript = (specifier: string): string => posix.join(posix.dirname(file), specifier)
  const source = replaceImports(stripTypes(readOwn(file)), (specifier) => {
    if (!specifier.startsWith('.')) return libraryAddress(specifier)
    const target = resolveScript(specifier)
    imported.push(target)
    return makeScript(target).path
  }).replaceAll(LAZY_IMPORT, (_, lazy: string) => {
    const address = lazy.startsWith('.') ? makeScript(resolveScript(lazy)).path : libraryAddress(lazy)
    return `import('${address}')`
  })
  imports.set(file, imported)
  // Comments, and the blanks that stripped types leave, are not needed here.
  const text = source
    .replaceAll(/^[ \t]*(?:\/\*\*[^]*?\*\/|\/\/.*)$/gm, '')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/^\n/gm, '')
  const name = posix.basename(file).replace(/(?:\.browser)?\.ts$/, '.js')
  const asset = makeAsset(name, 'text/javascript; charset=utf-8', Buffer.from(text))
  modules.set(file, asset)
  return asset
}

function makeStyleSheet(fileName: string, names: readonly string[]): Asset {
  const parts = names.map((name) => withoutComments(readOwn(`${name}.css`)))
  const css = fillInIcons(fillInFonts(parts.join('\n')))
  return makeAsset(fileName, 'text/css; charset=utf-8', Buffer.from(css))
}

function makeAsset(fileName: string, contentType: string, content: Buffer): Asset {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12)
  const isPackable = !/^(?:font|image\/png)/.test(contentType)
  let packed: Uint8Array<ArrayBuffer> | null = null
  return {
    path: `/assets/${hash}-${fileName}`,
    contentType,
    bytes: new Uint8Array(content),
    packed: () => (isPackable ? (packed ??= new Uint8Array(gzipSync(content, { level: 9 }))) : null),
  }
}

function readOwn(file: string): string {
  return readFileSync(fileURLToPath(new URL(`../${file}`, import.meta.url)), 'utf8')
}

/** Comments and indentation are a fifth of the compressed style sheet. */
function withoutComments(css: string): string {
  return css.replaceAll(/\/\*.*?\*\/|^\s+/gms, '')
}

/** An icon as a mask: its shape comes from the icon set, its color from the style sheet. */
function fillInIcons(css: string): string {
  return css.replaceAll(/url\(icon:([\w-]+)\)/g, (_, name: string) => {
    const drawing = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'>${iconDrawing(name as IconName).replaceAll('"', "'")}</svg>`
    return `url("data:image/svg+xml,${drawing.replaceAll(/[<>#%]/g, encodeURIComponent)}")`
  })
}

function fillInFonts(css: string): string {
  return fonts.reduce((text, { name, asset }) => text.replace(`url(font:${name})`, `url(${asset.path})`), css)
}
