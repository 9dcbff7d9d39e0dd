import { fileURLToPath } from 'node:url'

/** Absolute path of the checkout under test, with a final slash. */
export const checkout = fileURLToPath(new URL('../../../../../', import.meta.url))

/** The real command, as run by `npx texproof`. */
export const texproofCommand = `${checkout}node_modules/.bin/texproof`

/** The environment of programs under test, without the user's own settings. */
export function cleanEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const isSetting = (name: string): boolean => /^(TEXPROOF_|COMPILE_|GIT_(?!SSL))/.test(name)
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || isSetting(name) ? [] : [[name, value]],
  )
  return {
    ...Object.fromEntries(inherited),
    NO_COLOR: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    ...extra,
  }
}
