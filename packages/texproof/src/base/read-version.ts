import { readFileSync } from 'node:fs'

/** The version of Texproof from its package.json. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(text) as { version: string }
  return version
}
