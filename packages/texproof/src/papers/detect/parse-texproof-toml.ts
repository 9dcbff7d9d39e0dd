import type { BibEngine, ProjectEngine } from '@texproof/platex'
import { parse, TomlError } from 'smol-toml'
import { z } from 'zod'

import type { BuildTrigger } from './types.ts'

/** The settings of a repository, `.texproof.toml`. Every part is optional. */
export interface TexproofToml {
  readonly documents: readonly ConfiguredDocument[]
  readonly trigger: BuildTrigger
  /** Milliseconds; null = the server's timeout. */
  readonly timeoutMs: number | null
}

export interface ConfiguredDocument {
  readonly root: string
  readonly name: string | null
  readonly engine: ProjectEngine | null
  readonly bibliography: BibEngine | null
}

/** The longest timeout that a repository may set, in milliseconds. */
const MAX_TIMEOUT_MS = 3_600_000

const documentName = z
  .string()
  .regex(
    /^[\p{L}\p{N}_][\p{L}\p{N}._ -]{0,99}$/u,
    'must be a plain file name of at most 100 letters, digits, ".", "-", "_" or spaces',
  )

const schema = z.strictObject({
  document: z
    .array(
      z.strictObject({
        root: z.string().min(1),
        name: documentName.optional(),
        engine: z.enum(['pdflatex', 'xelatex', 'lualatex', 'latex', 'platex', 'uplatex']).optional(),
        bibliography: z.enum(['bibtex', 'biber', 'none']).optional(),
      }),
    )
    .default([]),
  build: z
    .strictObject({
      auto: z.enum(['branches', 'default', 'demand']).default('branches'),
      timeout: z
        .string()
        .regex(/^\d{1,4}(s|m)$/, 'must be a time such as "120s" or "2m"')
        .optional(),
    })
    .default({ auto: 'branches' }),
})

/** Reads `.texproof.toml`. A mistake in it is a value whose `message` says what is wrong and where. */
export function parseTexproofToml(source: string): TexproofToml | { readonly message: string } {
  try {
    const checked = schema.safeParse(parse(source), { error: describeMistake })
    if (!checked.success) return { message: describeIssue(checked.error.issues[0]) }
    const { document, build } = checked.data
    return {
      documents: document.map(({ root, name, engine, bibliography }) => ({
        root: root.replace(/^\.\//, ''),
        name: name ?? null,
        engine: engine ?? null,
        bibliography: bibliography ?? null,
      })),
      trigger: build.auto,
      timeoutMs: build.timeout === undefined ? null : parseTimeoutMs(build.timeout),
    }
  } catch (error) {
    if (error instanceof TomlError) return { message: `line ${error.line}: ${firstLine(error.message)}` }
    throw error
  }
}

function parseTimeoutMs(text: string): number {
  const seconds = Number.parseInt(text, 10) * (text.endsWith('m') ? 60 : 1)
  return Math.min(Math.max(seconds, 1) * 1000, MAX_TIMEOUT_MS)
}

/** What is wrong with a value, after its place; undefined for what the schema describes itself. */
function describeMistake(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing'
      return EXPECTED.get(issue.expected)
    case 'invalid_value':
      return `must be ${listChoices(issue.values.map((value) => `"${String(value)}"`))}`
    case 'too_small':
      return 'must not be empty'
    default:
      return undefined
  }
}

const EXPECTED: ReadonlyMap<string, string> = new Map([
  ['array', 'must be a list; write [[document]] with two brackets'],
  ['object', 'must be a table'],
  ['string', 'must be text in quotes'],
])
function listChoices(choices: readonly string[]): string {
  const last = choices.at(-1) ?? ''
  return choices.length < 2 ? last : `${choices.slice(0, -1).join(', ')} or ${last}`
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'not a valid configuration'
  const place = issue.path
    .map((key) => (typeof key === 'number' ? `[${key + 1}]` : String(key)))
    .join('.')
    .replaceAll('.[', '[')
  if (issue.code === 'unrecognized_keys')
    return `unknown key ${issue.keys.map((key) => `"${key}"`).join(', ')}${place === '' ? '' : ` in ${place}`}`
  return `${place === '' ? 'the file' : place}: ${issue.message}`
}

function firstLine(text: string): string {
  return text.replace(/^Invalid TOML document: /, '').split('\n', 1)[0] ?? text
}
