import { findGaps } from './endpoint/find-gaps.ts'

// Every endpoint has its handler, behaviour test and matrix row, and the documents made from them are current.

process.chdir(new URL('..', import.meta.url).pathname)
const gaps = await findGaps()
for (const gap of gaps) console.error(gap)
if (gaps.length > 0) process.exitCode = 1
