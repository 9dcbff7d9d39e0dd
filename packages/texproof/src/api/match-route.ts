/**
 * Finds the route of a raw path: split at the slashes first, then each segment decoded once. A URL parser would resolve
 * `..` and `%2e%2e` before they can be refused, and decoding before the split would turn `%2F` into a separator.
 */
import { routes } from './routes.ts'
import type { Route } from './routes.ts'

/** A route and its path parameters in this request. */
export interface RouteMatch {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

type Step = { readonly literal: string } | { readonly param: string }

interface CompiledRoute {
  readonly route: Route
  readonly steps: readonly Step[]
  /** Name of the parameter for all further segments, or null. */
  readonly rest: string | null
}

const compiled: readonly CompiledRoute[] = routes.map(compile)

/** The route for a method and the raw path below `/api/v3`; null = no such route. */
export function matchRoute(method: string, rawPath: string): RouteMatch | null {
  const segments = decodeSegments(rawPath)
  if (segments === null) return null
  for (const { route, steps, rest } of compiled) {
    if (route.method !== method) continue
    const isLong = segments.length > steps.length
    if (segments.length < steps.length || isLong !== (rest !== null)) continue
    if (!matchesLiterals(steps, segments)) continue
    const params = paramsOf(steps, segments)
    if (rest !== null) params[rest] = segments.slice(steps.length).join('/')
    return { route, params }
  }
  return null
}

function decodeSegments(rawPath: string): readonly string[] | null {
  if (!rawPath.startsWith('/')) return null
  const segments = rawPath.slice(1).split('/')
  if (segments.includes('')) return null
  if (!rawPath.includes('%')) return segments
  try {
    const decoded = segments.map(decodeURIComponent)
    return decoded.some((segment) => segment.includes('\0')) ? null : decoded
  } catch {
    // An invalid escape or invalid UTF-8 matches no route.
    return null
  }
}

function matchesLiterals(steps: readonly Step[], segments: readonly string[]): boolean {
  return steps.every((step, index) => 'param' in step || step.literal === segments[index])
}

function paramsOf(steps: readonly Step[], segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  steps.forEach((step, index) => {
    if ('param' in step) params[step.param] = segments[index] ?? ''
  })
  return params
}

function compile(route: Route): CompiledRoute {
  const parts = route.path.slice(1).split('/')
  const rest = /^\{\+(\w+)\}$/.exec(parts.at(-1) ?? '')?.[1] ?? null
  const fixed = rest === null ? parts : parts.slice(0, -1)
  return { route, steps: fixed.map(toStep), rest }
}

function toStep(part: string): Step {
  const param = /^\{(\w+)\}$/.exec(part)?.[1]
  return param === undefined ? { literal: part } : { param }
}
