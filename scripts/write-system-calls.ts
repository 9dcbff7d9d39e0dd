/**
 * `npm run system-calls`: writes the numbers of the system calls that the seccomp policy names, one file per processor,
 * from the kernel headers of this machine (package linux-libc-dev). Calls that a processor does not have are omitted.
 */
import { readFileSync, writeFileSync } from 'node:fs'

import * as policy from '../packages/platex/src/sandbox/seccomp/system-call-policy.ts'

const HEADERS = {
  x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h',
  arm64: '/usr/include/asm-generic/unistd.h',
}

const named = [...policy.ALLOWED_CALLS, ...policy.FORBIDDEN_CALLS, ...policy.NETWORK_CALLS, ...policy.FILTERED_CALLS]
for (const [architecture, header] of Object.entries(HEADERS)) {
  const text = readFileSync(header, 'utf8')
  // The generic header numbers some calls as __NR3264_fcntl and defines the 64-bit names by them.
  const numbers = new Map(
    [...text.matchAll(/^#define __NR(?:3264)?_(\w+)\s+(\d+)$/gm)].map(([, name = '', number]) => [
      name,
      Number(number),
    ]),
  )
  for (const [, name = '', alias = ''] of text.matchAll(/^#define __NR_(\w+)\s+__NR3264_(\w+)$/gm)) {
    const number = numbers.get(alias)
    if (number !== undefined) numbers.set(name, number)
  }
  const rows = [...numbers].filter(([name]) => named.includes(name)).toSorted(([, a], [, b]) => a - b)
  const file = new URL(`../packages/platex/data/system-calls/${architecture}.txt`, import.meta.url)
  writeFileSync(file, rows.map(([name, number]) => `${number} ${name}\n`).join(''))
}
