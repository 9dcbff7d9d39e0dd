import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/** A copy of the checkout to change at will. */
export interface CheckoutCopy {
  readonly folder: string
  remove(): void
}

const checkout = join(import.meta.dirname, '../..')
const copied = ['packages', 'scripts', 'docs', 'package.json']
/** What is installed or built, and the gallery for its weight. */
const leftOut = new Set(['node_modules', 'dist', 'screens'])

/**
 * Copies the sources as they stand, committed or not, and links what is installed: only the packages of this checkout
 * are its own copies, or the copy would run the sources of the original.
 */
export function copyCheckout(): CheckoutCopy {
  const folder = mkdtempSync(join(tmpdir(), 'texproof-checkout-'))
  for (const name of copied)
    cpSync(join(checkout, name), join(folder, name), {
      recursive: true,
      filter: (path) => !leftOut.has(basename(path)),
    })
  const installed = join(folder, 'node_modules')
  mkdirSync(join(installed, '@texproof'), { recursive: true })
  for (const name of readdirSync(join(checkout, 'node_modules')))
    if (name !== '@texproof' && name !== 'texproof')
      symlinkSync(join(checkout, 'node_modules', name), join(installed, name))
  symlinkSync('../../packages/platex', join(installed, '@texproof/platex'))
  symlinkSync('../packages/texproof', join(installed, 'texproof'))
  for (const name of ['platex', 'texproof']) linkOwnModules(`packages/${name}/node_modules`, folder)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) }
}

/** What a package has beside what all share; a package need not have any. */
function linkOwnModules(path: string, folder: string): void {
  const hasOwn = readdirSync(join(checkout, path, '..')).includes('node_modules')
  if (hasOwn) symlinkSync(join(checkout, path), join(folder, path))
}
