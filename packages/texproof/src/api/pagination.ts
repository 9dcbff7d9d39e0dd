/**
 * Pages of lists and the `Link` header between them.
 *
 * Source: REST specification §4 (Pagination); contract §7.
 */
import type { Window } from '../store/repositories/repository-lists.ts'
import type { ApiRequest, ApiResponse } from './api-request.ts'
import { jsonText } from './respond.ts'

/** The requested page of a list. */
export interface Page {
  /** Page number, from 1. */
  readonly number: number
  readonly size: number
}

const defaultSize = 30
const maxSize = 100
const deepestItem = 10_000
/** Parameters that select the list. Without one of them, a link would lead to other items. */
const listParameters: ReadonlySet<string> = new Set([
  'per_page',
  'sort',
  'direction',
  'visibility',
  'affiliation',
  'type',
])
/** Maximum length of the encoded query. A `Link` header has four copies of it, and proxies refuse headers over 8 kB. */
const maxQueryLength = 1_400

/** Reads `page` and `per_page`; values other than positive integers are ignored, a size over 100 is 100. */
export function parsePage(query: URLSearchParams): Page {
  if (query.size === 0) return { number: 1, size: defaultSize }
  const number = parseCount(query.getAll('page').at(-1)) ?? 1
  const size = parseCount(query.getAll('per_page').at(-1)) ?? defaultSize
  return { number, size: Math.min(size, maxSize) }
}

/** The range of a page within the list, which ends at the 10,000th item. */
export function windowOf(page: Page): Window {
  const offset = Math.min((page.number - 1) * page.size, deepestItem)
  return { offset, limit: Math.min(page.size, deepestItem - offset) }
}

/** The items of one page of a list in memory. */
export function itemsOfPage<T>(items: readonly T[], page: Page): readonly T[] {
  const { offset, limit } = windowOf(page)
  return items.slice(offset, offset + limit)
}

/** Sends a page, given as JSON text, with a `Link` header if there are several pages. */
export function paginated(
  body: string,
  options: { readonly page: Page; readonly total: number; readonly request: ApiRequest; readonly origin: string },
): ApiResponse {
  const link = linkHeader(options)
  return jsonText(200, body, link === null ? [] : ['Link', link])
}

function linkHeader(options: {
  readonly page: Page
  readonly total: number
  readonly request: ApiRequest
  readonly origin: string
}): string | null {
  const { page, request, origin } = options
  const total = Math.min(options.total, deepestItem)
  if (total <= page.size) return null
  const last = Math.ceil(total / page.size)
  const targets: [relation: string, number: number][] = []
  if (page.number > 1) targets.push(['prev', Math.min(page.number - 1, last)])
  if (page.number < last) targets.push(['next', page.number + 1])
  if (page.number !== last) targets.push(['last', last])
  if (page.number > 1) targets.push(['first', 1])
  // The requested address with another page, under the public base.
  const kept = boundedQuery(request)
  const links = targets.map(
    ([relation, number]) => `<${origin}${request.path}?${withPage(kept, number)}>; rel="${relation}"`,
  )
  return links.join(', ')
}

/** An encoded parameter, with its decoded name. */
interface Parameter {
  readonly name: string
  readonly text: string
}

/** The query with another page, in place of the first one in it. */
function withPage(kept: readonly Parameter[], number: number): string {
  const parameters = kept.map(({ name, text }) => (name === 'page' ? null : text))
  const at = parameters.indexOf(null)
  const page = `page=${number}`
  const rest = parameters.map((text, index) => (index === at ? page : text)).filter((text) => text !== null)
  return (at < 0 ? [...rest, page] : rest).join('&')
}

/** The parameters that select the list, and as many others as fit. */
function boundedQuery({ query, search }: Pick<ApiRequest, 'query' | 'search'>): readonly Parameter[] {
  const names = [...query.keys()]
  const sent = search.split('&').filter((text) => text !== '') // The parser skips empty parameters, too.
  // Of a repeated parameter, the last one applies.
  const lastOf = new Map(names.map((name, at) => [name, at]))
  const isNeeded = (at: number): boolean => {
    const name = names[at] ?? ''
    return listParameters.has(name) && lastOf.get(name) === at
  }
  const positions = [...names.keys()]
  const kept = new Map<number, string>()
  let length = 0
  for (const at of [...positions.filter(isNeeded), ...positions.filter((position) => !isNeeded(position))]) {
    const typed = sent[at] ?? ''
    // Encoding is slow, seldom shortens a parameter, and a query may have thousands of them.
    if (length + typed.length > maxQueryLength) continue
    const text = formEncode(typed)
    if (length + text.length > maxQueryLength) continue
    length += text.length + '&'.length
    kept.set(at, text)
  }
  return names.flatMap((name, at) => {
    const text = kept.get(at)
    return text === undefined ? [] : [{ name, text }]
  })
}

/** The form encoding of a parameter that has any encoding. Bytes that are not UTF-8 stay as they are. */
function formEncode(parameter: string): string {
  const equals = parameter.indexOf('=')
  const [name, value] = equals < 0 ? [parameter, ''] : [parameter.slice(0, equals), parameter.slice(equals + 1)]
  return `${encodeWord(name)}=${encodeWord(value)}`
}

function encodeWord(text: string): string {
  return text.replaceAll(/%([0-7][\da-f])|%[89a-f][\da-f]|[^\w*.+-]/giu, (part: string, ascii: string | undefined) => {
    if (ascii === undefined && part.length === '%ff'.length) return part.toUpperCase()
    const character = ascii === undefined ? part : String.fromCharCode(Number.parseInt(ascii, 16))
    return new URLSearchParams([['', character]]).toString().slice('='.length)
  })
}

function parseCount(text: string | undefined): number | null {
  if (text === undefined || !/^[0-9]+$/.test(text)) return null
  const digits = text.replace(/^0+/, '')
  if (digits === '') return null
  // Beyond the end of every list, and safe to multiply.
  return digits.length > 9 ? 1_000_000_000 : Number(digits)
}
