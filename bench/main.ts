import { globSync } from 'node:fs'
import { basename } from 'node:path'

// `npm run bench -- compile api`: runs the named benchmarks one after the other, because concurrent ones would disturb
// each other. A benchmark is a file in this folder that exports `run`. Other words after its name are its arguments:
// `npm run bench -- speed cold hello`.

interface Measurement {
  /** Measures, prints, and stores the results in bench/results. */
  readonly run: (options: readonly string[]) => Promise<void>
}

const known = globSync('*.ts', { cwd: import.meta.dirname })
  .map((file) => basename(file, '.ts'))
  .filter((name) => name !== 'main' && !name.endsWith('.test'))
const words = process.argv.slice(2)
const chosen: { readonly name: string; readonly options: string[] }[] = []
for (const word of words) {
  if (known.includes(word) || chosen.length === 0) chosen.push({ name: word, options: [] })
  else chosen.at(-1)?.options.push(word)
}
const unknown = chosen.filter(({ name }) => !known.includes(name))

if (chosen.length === 0 || unknown.length > 0) {
  if (unknown.length > 0) console.error(`There is no measurement ${unknown[0]?.name}.`)
  console.error(`npm run bench -- NAME … [OPTION …]   with NAME one of: ${known.join(', ')}`)
  process.exitCode = 2
} else {
  for (const { name, options } of chosen) {
    console.log(`── ${name}`)
    const measurement = (await import(`./${name}.ts`)) as Measurement
    await measurement.run(options)
  }
}
