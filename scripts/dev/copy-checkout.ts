import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/** A temporary copy of the checkout. */
export interface CheckoutCopy {
  readonly folder: string
  remove(): void
}

const checkout = join(import.meta.dirname, '../..')
const copied = ['packages', 'scripts', 'docs', 'package.json']
/** Installed and built files, and the screenshots because of their size. */
const leftOut = new Set(['node_modules', 'dist', 'screens'])

/**
 * Copies the working tree and links the installed packages. Links to packages of the checkout point into the copy,
 * which would otherwise run the original sources.
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

/** Dependencies of a single package, if any. */
function linkOwnModules(path: string, folder: string): void {
  const hasOwn = readdirSync(join(checkout, path, '..')).includes('node_modules')
  if (hasOwn) symlinkSync(join(checkout, path), join(folder, path))
}
