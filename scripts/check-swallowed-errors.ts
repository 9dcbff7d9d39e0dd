import { globSync, readFileSync } from 'node:fs'

// A `catch` that ignores its error needs a comment that names the fallback, on the same line or directly before or after.

process.chdir(new URL('..', import.meta.url).pathname)
const swallows = /\bcatch \{|\.catch\(\(\) =>/
const comment = /\/\/ |^\s*(?:\/?\*\*?)\s|\*\/$/
const sources = globSync('packages/*/src/**/*.ts', { exclude: ['**/*.test.ts'] })
const silent = sources.flatMap((path) => {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((line, index) => {
    const isExplained = [index - 1, index, index + 1].some((near) => comment.test(lines[near] ?? ''))
    return !swallows.test(line) || isExplained ? [] : [`${path}:${index + 1} swallows an error without saying why`]
  })
})
for (const line of silent) console.error(line)
if (silent.length > 0) process.exitCode = 1
