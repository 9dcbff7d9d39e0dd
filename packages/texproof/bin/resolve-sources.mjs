// Resolves imports of sources, and of the merged files, by their paths alone. Node.js looks for each imported file, its
// links and its package, which takes a fifth of the start of a server; for files that import each other by relative paths
// with the extension, the result is always the joined path.
import { registerHooks } from 'node:module'

const merged = new URL('../dist/', import.meta.url).href

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL } = context
    if (!specifier.startsWith('.') || parentURL === undefined) return nextResolve(specifier, context)
    const url = new URL(specifier, parentURL).href
    if (url.endsWith('.ts')) return { url, format: 'module-typescript', shortCircuit: true }
    if (parentURL.startsWith(merged) && url.endsWith('.js')) return { url, format: 'module', shortCircuit: true }
    return nextResolve(specifier, context)
  },
})
