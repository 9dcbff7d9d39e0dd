/**
 * `npm run package-index`: writes, for each supported release of Debian and Ubuntu, which package provides which TeX
 * file, font file and program. `npm run package-index -- debian-13` writes one of them. Requires apt and the archives.
 *
 * Each file is sorted text, compressed with Brotli, one line per TeX Live package:
 * `DEBIAN-PACKAGE TEXLIVE-PACKAGE NAME NAME …`. If the archive of a release is unreachable, its index contains what the
 * releases before and after it agree on.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

import { chooseProviders } from './package-index/choose-providers.ts'
import type { Provider } from './package-index/choose-providers.ts'
import { downloadContents } from './package-index/download-contents.ts'
import { releases } from './package-index/releases.ts'

const wanted = process.argv.slice(2)
const unreachable: string[] = []
for (const release of releases) {
  if (wanted.length > 0 && !wanted.includes(release.name)) continue
  const contents = await downloadContents(release)
  if (contents === null) unreachable.push(release.name)
  else writeIndex(release.name, formatIndex(chooseProviders(contents)), 'from its archive')
}
for (const name of unreachable) {
  const position = releases.findIndex((release) => release.name === name)
  const [before, after] = [releases[position - 1], releases[position + 1]]
  if (before === undefined || after === undefined) {
    console.error(`${name}: the archive cannot be reached; its index stays as it is`)
    process.exitCode = 1
    continue
  }
  const agreed = agreement(readIndex(before.name), readIndex(after.name))
  writeIndex(name, agreed, `what ${before.name} and ${after.name} agree on, since its archive cannot be reached`)
}

function formatIndex(providers: readonly Provider[]): string {
  const lines = new Map<string, string[]>()
  for (const { debian, texlive, name } of providers) {
    const key = `${debian} ${texlive}`
    lines.set(key, [...(lines.get(key) ?? []), name])
  }
  return [...lines].map(([key, names]) => `${key} ${names.join(' ')}\n`).join('')
}

/** The names for which two indexes agree on the packages. */
function agreement(left: string, right: string): string {
  const namesOf = new Map(right.split('\n').map((line) => [headOf(line), new Set(line.split(' ').slice(2))]))
  const lines = left.split('\n').flatMap((line) => {
    const names = line
      .split(' ')
      .slice(2)
      .filter((name) => namesOf.get(headOf(line))?.has(name))
    return names.length === 0 ? [] : [`${headOf(line)} ${names.join(' ')}\n`]
  })
  return lines.join('')
}

function headOf(line: string): string {
  return line.split(' ', 2).join(' ')
}

function fileOf(name: string): URL {
  return new URL(`../packages/platex/data/package-index/${name}.txt.br`, import.meta.url)
}

function readIndex(name: string): string {
  return brotliDecompressSync(readFileSync(fileOf(name))).toString()
}

function writeIndex(name: string, text: string, source: string): void {
  const parameters = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
  const packed = brotliCompressSync(text, { params: parameters })
  writeFileSync(fileOf(name), packed)
  const names = text.split(/\s/).length
  console.log(
    `${name}: ${names} names, ${(text.length / 1e6).toFixed(1)} MB as ${(packed.length / 1e3).toFixed(0)} kB, ${source}`,
  )
}
