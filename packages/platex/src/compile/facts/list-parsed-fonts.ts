import { posix } from 'node:path'

import type { FontFile } from '../../sandbox/types.ts'

/** More than any document uses; LuaTeX can write what it likes into its recorder file. */
const MAX_FONTS = 64

/**
 * Fonts that a run of LuaTeX had to parse: it reads a parsed font back as `luatex-cache/…/fonts/otl/NAME.lua`, and one
 * from the cache as `NAME.luc`. `names`: of its recorder file.
 */
export function listParsedFonts(names: readonly string[]): readonly FontFile[] {
  const cached = names.filter(
    (name) => name.endsWith('.lua') && name.includes('/luatex-cache/') && name.includes('/fonts/'),
  )
  const parsed = new Set(cached.slice(0, MAX_FONTS).map((name) => posix.basename(name, '.lua')))
  if (parsed.size === 0) return []
  const fonts = names.flatMap((path): FontFile[] => {
    if (!/^\/[\w@+,./ -]{1,300}\.(?:otf|ttf|otc|ttc)$/i.test(path)) return []
    const stem = cacheName(posix.basename(path).replace(/\.\w+$/, ''))
    const numbers = [...parsed].flatMap((name) => (name.startsWith(`${stem}-`) ? [name.slice(stem.length + 1)] : []))
    const members = numbers
      .filter((number) => /^\d{1,3}$/.test(number))
      .map((number) => ({ path, number: Number(number) }))
    return parsed.has(stem) ? [{ path, number: null }, ...members] : members
  })
  return fonts.slice(0, MAX_FONTS)
}

/** Name of the cache file of luaotfload for a font. */
function cacheName(stem: string): string {
  return stem.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
}
