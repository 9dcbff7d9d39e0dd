import { readFileSync } from 'node:fs'

/** The folders of each package's `src` in layers, lowest first. A folder imports only from its layer and lower ones. */
export const layers: Readonly<Record<string, readonly (readonly string[])[]>> = JSON.parse(
  readFileSync(new URL('layers.json', import.meta.url), 'utf8'),
)
