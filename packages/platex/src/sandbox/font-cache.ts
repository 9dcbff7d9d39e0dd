/** Prebuilt caches of luaotfload and fontconfig, shown read-only to every compile. */
export interface FontCache {
  readonly dir: string
}
