import { existsSync, globSync } from 'node:fs'
import { basename } from 'node:path'

// `npm run bench -- compile api`: runs the measurements named, one after the other, since two at once measure each other.
// A measurement is a file of this folder that exports `run`.

interface Measurement {
  /** Measures, prints, and stores what it found in bench/results. */
  readonly run: () => Promise<void>
}

const names = process.argv.slice(2)
const known = globSync('*.ts', { cwd: import.meta.dirname })
  .map((file) => basename(file, '.ts'))
  .filter((name) => name !== 'main' && !name.endsWith('.test'))
const unknown = names.filter((name) => !known.includes(name) || !existsSync(new URL(`${name}.ts`, import.meta.url)))

if (names.length === 0 || unknown.length > 0) {
  if (unknown.length > 0) console.error(`There is no measurement ${unknown.join(', ')}.`)
  console.error(`npm run bench -- NAME …   with NAME one of: ${known.join(', ')}`)
  process.exitCode = 2
} else {
  for (const name of names) {
    console.log(`── ${name}`)
    const measurement = (await import(`./${name}.ts`)) as Measurement
    await measurement.run()
  }
}
