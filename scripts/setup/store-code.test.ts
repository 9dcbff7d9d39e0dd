import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { TestContext } from 'node:test'

const checkout = join(import.meta.dirname, '../..')
const bin = join(checkout, 'packages/texproof/bin')
const id = execFileSync(join(checkout, 'scripts/source-id'), { encoding: 'utf8' }).trim()
const merged = join(checkout, 'packages/texproof/dist', id)

/** Prints how many scripts were given stored code, and how many of them V8 refused. */
const counter = `
  const vm = require('node:vm')
  let [given, refused] = [0, 0]
  vm.Script = class extends vm.Script {
    constructor(source, options) {
      super(source, options)
      if (options.cachedData !== undefined) given += 1
      if (this.cachedDataRejected) refused += 1
    }
  }
  require('node:module').syncBuiltinESMExports()
  process.on('exit', () => console.log(JSON.stringify({ given, refused })))
`

describe('storeCode', () => {
  it('stores code for every merged file of the command', () => {
    const names = globSync('*.cjs', { cwd: merged })
    assert.deepEqual(globSync('*.code', { cwd: merged }).sort(), names.map((name) => `${name}.code`).sort())
  })

  it('stores code that the command can use', (t) => {
    const { version, given, refused } = runCounted(t, merged)
    assert.deepEqual({ version, refused, usesCode: given > 0 }, { version: '0.1.0', refused: 0, usesCode: true })
  })
})

describe('load-merged', () => {
  it('compiles a file whose stored code is damaged', (t) => {
    const copy = copyMerged(t)
    writeFileSync(join(copy, 'main.cjs.code'), 'damaged')
    const { version, refused } = runCounted(t, copy)
    assert.deepEqual({ version, refused }, { version: '0.1.0', refused: 1 })
  })

  it('compiles a file that has no stored code', (t) => {
    const copy = copyMerged(t)
    for (const name of globSync('*.code', { cwd: copy })) rmSync(join(copy, name))
    const { version, given } = runCounted(t, copy)
    assert.deepEqual({ version, given }, { version: '0.1.0', given: 0 })
  })
})

describe('load-merged --store-code', () => {
  it('stores the code of functions that were called before many garbage collections', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'texproof-code-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const functions = Array.from(
      { length: 300 },
      (_, at) => `(x) => { for (let n = 0; n < 3; n += 1) x += n * ${at}; return x }`,
    )
    const makeGarbage = `void (async () => {
      for (let round = 0; round < 40; round += 1) {
        globalThis.kept = []
        for (let n = 0; n < 60; n += 1) kept.push(Array.from({ length: 20_000 }, (_, k) => ({ k })))
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })()`
    const sizes = ['', makeGarbage].map((garbage, at) => {
      const main = join(folder, String(at), 'main.cjs')
      mkdirSync(join(folder, String(at)))
      const text = `process.on("SIGTERM", () => {}); const called = [${functions.join(', ')}]; for (const each of called) each(1); ${garbage}`
      writeFileSync(main, text.padEnd(100_000))
      execFileSync(join(checkout, 'scripts/pinned-node'), [join(bin, 'load-merged.mjs'), '--store-code', main])
      return statSync(`${main}.code`).size
    })
    assert.ok((sizes[1] ?? 0) >= (sizes[0] ?? 0), sizes.join(', '))
  })
})

/** A copy beside the result, which refers to the sources by relative paths. */
function copyMerged(t: TestContext): string {
  const copy = mkdtempSync(`${merged}-`)
  t.after(() => rmSync(copy, { recursive: true }))
  cpSync(merged, copy, { recursive: true })
  return copy
}

/** Runs `texproof --version` from merged files. */
function runCounted(t: TestContext, folder: string) {
  const temporary = mkdtempSync(join(tmpdir(), 'texproof-code-'))
  t.after(() => rmSync(temporary, { recursive: true }))
  const counterFile = join(temporary, 'counter.cjs')
  writeFileSync(counterFile, counter)
  const args = ['--require', counterFile, join(bin, 'load-merged.mjs'), join(folder, 'main.cjs'), '--version']
  const output = execFileSync(join(checkout, 'scripts/pinned-node'), args, { encoding: 'utf8' })
  const [version, counts = ''] = output.trim().split('\n')
  return { version, ...(JSON.parse(counts) as { readonly given: number; readonly refused: number }) }
}
