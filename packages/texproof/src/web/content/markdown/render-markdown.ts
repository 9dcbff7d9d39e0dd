/**
 * Markdown to HTML. Markdown may contain HTML, and a README is untrusted text on this origin: the output is sanitized
 * with an allow-list, ids get a prefix so that they cannot collide with ids of the page, and links get `nofollow`.
 * Formulas and check boxes are inserted after that.
 */
import MarkdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'

import { addAlerts, ALERTS } from './alerts.ts'
import { addFootnotes } from './footnotes.ts'
import { addHeadingIds, createHeadingLevels, type HeadingLevels } from './headings.ts'
import { createInsertions, INSERTION_ATTRIBUTE, type Insertions } from './insertions.ts'
import { addMath, type Formula } from './math-syntax.ts'
import { formulaSource, renderFormula } from './render-formula.ts'
import { addTaskLists } from './task-lists.ts'

/** Base of relative addresses in the text. */
export interface MarkdownPlace {
  /** Folder of the text in the tree, `''` for the root folder. */
  readonly folder: string
  /** Path prefix of file pages, `/alice/tides/blob/main/`. */
  readonly blobPrefix: string
  /** Path prefix of raw files, `/alice/tides/raw/main/`. */
  readonly rawPrefix: string
  /**
   * Base of addresses that lead out of the tree: the address of file pages, with the ref as a single part,
   * `/alice/tides/blob/draft%2Fone/`. @default they stay as they are
   */
  readonly outerBase?: string
  /** Whether the text is below the heading of a page; otherwise it provides that heading. @default false */
  readonly isBelowHeading?: boolean
}

const ID_PREFIX = 'user-content-'
const markdown = new MarkdownIt({ html: true, linkify: true, typographer: false })

addHeadingIds(markdown)
addFootnotes(markdown)
addAlerts(markdown)
addTaskLists(markdown, (isDone, env) => readEnv(env).insertions.add(taskBox(isDone)))
addMath(markdown, (formula, env) => insertFormula(formula, readEnv(env)))

const HEADINGS = 'h1 h2 h3 h4 h5 h6'
const ALLOWED_TAGS =
  `${HEADINGS} p blockquote pre hr div br center ul ol li dl dt dd table thead tbody tfoot tr th td caption ` +
  'a b strong i em s del ins sub sup code kbd samp var q abbr small span img details summary figure figcaption section'

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: ALLOWED_TAGS.split(' '),
  allowedAttributes: {
    a: ['href', 'title', 'id', 'rel', 'aria-label'],
    img: ['src', 'alt', 'title', 'width', 'height', 'loading'],
    th: ['align', 'colspan', 'rowspan', 'scope'],
    td: ['align', 'colspan', 'rowspan'],
    ol: ['start'],
    details: ['open'],
    abbr: ['title'],
    // Wide elements scroll, and are focusable for the keyboard.
    pre: ['tabindex'],
    table: ['tabindex'],
    ...Object.fromEntries(`${HEADINGS} li p div`.split(' ').map((tag) => [tag, ['id']])),
    span: ['id', INSERTION_ATTRIBUTE],
    section: ['aria-label'],
  },
  allowedClasses: {
    div: ['alert', ...Object.keys(ALERTS).map((kind) => `alert-${kind}`)],
    p: ['alert-title'],
    section: ['footnotes'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  // Only for attachments: `imageOrLink` replaces every other external address with a link.
  allowedSchemesByTag: { img: ['data'] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
}

/** Maximum length of the HTML: a few references can make a short text a very long page. */
const MAX_RENDERED_LENGTH = 4 * 1024 * 1024
/** Maximum length of formulas in HTML; later formulas of the text stay source. */
const MAX_MATH_LENGTH = 1024 * 1024

/** A text to render. */
export interface MarkdownSource {
  readonly source: string
  readonly place: MarkdownPlace
}

/**
 * Renders a README; relative links and images resolve in the same tree. Runs on a thread: some kilobytes can take a
 * renderer seconds.
 *
 * @throws Error if the result is too long.
 */
export function renderMarkdown({ source, place }: MarkdownSource): string {
  return createMarkdownRenderer(place)({ source })
}

/** One of several texts on a page. */
export interface MarkdownPart {
  readonly source: string
  /** Distinguishes the footnotes of this text from footnotes of others. @default `''` */
  readonly notePrefix?: string
  /** Addresses of the images attached to the text, by their name in `attachment:`. */
  readonly attachments?: ReadonlyMap<string, string>
}

/** Renders the texts of one page, which share ids, heading levels and limits; see `renderMarkdown`. */
export function createMarkdownRenderer(place: MarkdownPlace): (part: MarkdownPart) => string {
  const levelOf = place.isBelowHeading === true ? createHeadingLevels() : (tag: string) => tag
  const insertions = createInsertions()
  const headingCounts = new Map<string, number>()
  let length = 0
  return ({ source, notePrefix = '', attachments = new Map() }) => {
    const env: RenderEnv = { insertions, headingCounts, notePrefix }
    const rendered = markdown.render(source, env)
    length += rendered.length
    if (length + insertions.length > MAX_RENDERED_LENGTH) throw new Error('the rendered text is too long')
    const transformTags = transformers(levelOf, { place, attachments })
    return insertions.fill(sanitizeHtml(rendered, { ...OPTIONS, transformTags }))
  }
}

function transformers(
  levelOf: HeadingLevels,
  { place, attachments }: Required<Pick<MarkdownPart, 'attachments'>> & { readonly place: MarkdownPlace },
): Record<string, sanitizeHtml.Transformer> {
  const heading: sanitizeHtml.Transformer = (tag, attribs) => ({ tagName: levelOf(tag), attribs })
  const scrolled: sanitizeHtml.Transformer = (tagName) => ({ tagName, attribs: { tabindex: '0' } })
  // The parser aligns columns with an inline style, which pages do not permit.
  const aligned: sanitizeHtml.Transformer = (tagName, { style = '', ...attribs }) => {
    const [, align] = /^text-align:(left|center|right)$/.exec(style) ?? []
    return { tagName, attribs: align === undefined ? attribs : { ...attribs, align } }
  }
  return {
    ...Object.fromEntries(HEADINGS.split(' ').map((tag) => [tag, heading])),
    pre: scrolled,
    table: scrolled,
    th: aligned,
    td: aligned,
    a: (_tag, attributes) => ({
      tagName: 'a',
      attribs: { ...attributes, ...linkAttributes(attributes['href'], place) },
    }),
    img: (_tag, attributes) => imageOrLink(attributes, { place, attachments }),
    // Applied last, to every tag.
    '*': (tagName, attributes) => ({ tagName, attribs: withPrefixedId(attributes) }),
  }
}

/** State shared by the parser's rules while one text is rendered. */
interface RenderEnv {
  readonly insertions: Insertions
  readonly headingCounts: Map<string, number>
  readonly notePrefix: string
  /** State of the parser's plugins. */
  readonly [plugin: PropertyKey]: unknown
}

function readEnv(env: unknown): RenderEnv {
  return env as RenderEnv
}

function taskBox(isDone: boolean): string {
  return `<input type="checkbox" disabled${isDone ? ' checked' : ''} aria-label="${isDone ? 'Done' : 'To do'}" />`
}

function insertFormula(formula: Formula, { insertions }: RenderEnv): string {
  const isTooMuch = insertions.length > MAX_MATH_LENGTH
  return insertions.add(isTooMuch ? formulaSource(formula, 'The text has too many formulas.') : renderFormula(formula))
}

function withPrefixedId({ id, ...attributes }: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  return id === undefined ? attributes : { ...attributes, id: ID_PREFIX + id }
}

function linkAttributes(href: string | undefined, place: MarkdownPlace): sanitizeHtml.Attributes {
  if (href === undefined) return {}
  if (href.startsWith('#')) return { href: `#${ID_PREFIX}${href.slice(1)}` }
  const target = resolveInTree(href, place)
  if (target !== null) return { href: place.blobPrefix + target }
  const page = resolveOnHost(href, place)
  return page === null ? { href, rel: 'nofollow noopener noreferrer' } : { href: page }
}

/**
 * Images come from the repository; external images become links, because loading one would reveal the reader to another
 * server.
 */
function imageOrLink(
  { src = '', alt = '', ...attributes }: sanitizeHtml.Attributes,
  { place, attachments }: Required<Pick<MarkdownPart, 'attachments'>> & { readonly place: MarkdownPlace },
): sanitizeHtml.Tag {
  const target = resolveInTree(src, place)?.replace(/[?#].*$/, '') ?? null
  const address = target === null ? attachments.get(src.replace(/^attachment:/, '')) : place.rawPrefix + target
  if (address !== undefined) return { tagName: 'img', attribs: { ...attributes, src: address, alt, loading: 'lazy' } }
  return { tagName: 'a', attribs: linkAttributes(src, place), text: alt === '' ? src : alt }
}

/** Stands for this host: the renderer resolves paths only. */
const HOST = 'http://host.invalid'
/** Stands for the pages of the tree: no ref has such a name, so no address outside leads here. */
const TREE = `${HOST}/~/`

/** Path in the tree of a relative address, escapes kept, with its query; null if it is outside. */
function resolveInTree(address: string, { folder }: MarkdownPlace): string | null {
  const href = resolve(address, { top: TREE, folder })?.href
  return href?.startsWith(TREE) === true ? href.slice(TREE.length) : null
}

/**
 * Path of a page outside the tree: `../../tree/dev` is an idiom of code hosts, relative to the page of the file, but the
 * text is also shown on other pages. Null for an address of another host.
 */
function resolveOnHost(address: string, { folder, outerBase }: MarkdownPlace): string | null {
  const url = outerBase === undefined ? null : resolve(address, { top: HOST + outerBase, folder })
  if (url?.origin !== HOST) return null
  // Two slashes at the beginning would name another host; one at the end is not part of any page.
  const path = url.pathname.replace(/^\/+/, '/').replace(/(?<=[^/])\/$/, '')
  return path + url.search + url.hash
}

/** Resolves a relative address like a browser, where `%2e%2e` and `..\\` also lead upwards; `/` is the `top`. */
function resolve(address: string, { top, folder }: { readonly top: string; readonly folder: string }): URL | null {
  if (address === '' || /^[/\\]{2}/.test(address) || /^[a-z][a-z0-9+.-]*:/i.test(address)) return null
  const base = address.startsWith('/') || folder === '' ? top : `${top}${folder}/`
  return URL.parse(address.startsWith('/') ? `.${address}` : address, base)
}
