import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

import { parse, TomlError } from 'smol-toml'

import { quote } from '../domain/text/shell-word.ts'
import { closestName } from './closest-name.ts'
import { ConfigError } from './config-error.ts'
import { findTomlLine } from './find-toml-line.ts'
import { explainForeignOwner } from './foreign-owner.ts'

/** A setting in a file. */
export interface FileSetting {
  readonly text: string
  /** Line number, from 1; null if unknown. */
  readonly line: number | null
}

/**
 * The settings of a texproof.toml by key, with tables flattened: `[build] timeout` is `build.timeout`. An absent file
 * counts as empty.
 *
 * @throws ConfigError for invalid TOML, an unknown key, or a value that is not a string, number or boolean.
 */
export function readConfigFile(path: string, knownKeys: readonly string[]): ReadonlyMap<string, FileSetting> {
  const text = readTextFile(path)
  if (text === null) return new Map()
  const entries = flatten(parseToml(path, text), '')
  return new Map(
    entries.map(([key, value]) => [
      checkKey(path, text, { key, knownKeys }),
      { text: checkValue(path, key, value), line: findTomlLine(text, key) },
    ]),
  )
}

function readTextFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    // If the data directory is not a folder, opening it reports that with a better message.
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw explainUnreadable(path)
  }
}

function explainUnreadable(path: string): ConfigError {
  const folder = dirname(path)
  try {
    const foreign = explainForeignOwner(folder, statSync(folder).uid)
    if (foreign !== null) return new ConfigError(foreign.problem, foreign.remedy)
  } catch {
    // A folder above it is private, so its owner is unknown.
    return new ConfigError(`${folder} cannot be accessed`, 'Run the command as the owner of this directory.')
  }
  return new ConfigError(`${path} cannot be read`, `Make it readable: chmod u+r ${quote(path)}`)
}

function parseToml(path: string, text: string): Record<string, unknown> {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const reason = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? 'not TOML'
    throw new ConfigError(`${path}:${error.line}: ${reason}`, 'The format is TOML: key = "value", one per line.')
  }
}

function flatten(table: object, prefix: string): [string, unknown][] {
  return Object.entries(table).flatMap(([name, value]: [string, unknown]) =>
    isTable(value) ? flatten(value, `${prefix}${name}.`) : [[`${prefix}${name}`, value]],
  )
}

function isTable(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

function checkKey(
  path: string,
  text: string,
  { key, knownKeys }: { key: string; knownKeys: readonly string[] },
): string {
  if (knownKeys.includes(key)) return key
  const line = findTomlLine(text, key)
  const near = closestName(key, knownKeys)
  const hint = near === null ? '' : `: did you mean "${near}"?`
  throw new ConfigError(`${path}:${line ?? 1}: unknown key "${key}"${hint}`, listKeys(key, knownKeys))
}

/** The keys of the table with the most similar name, or all keys. */
function listKeys(key: string, knownKeys: readonly string[]): string {
  const tables = knownKeys.flatMap((known) => (known.includes('.') ? [known.slice(0, known.indexOf('.'))] : []))
  const table = closestName(key.split('.')[0] ?? '', tables)
  const listed = table === null ? knownKeys : knownKeys.filter((known) => known.startsWith(`${table}.`))
  return `${table === null ? 'Known keys' : `Keys of ${table}`}: ${listed.join(', ')}`
}

function checkValue(path: string, key: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new ConfigError(`${path}: "${key}" must be a string, a number or true/false`, 'Write it as key = "value".')
}
