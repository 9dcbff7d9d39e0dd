import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Name of the folder of stubs, first on the PATH of every document. */
export const FONT_STUB_FOLDER = 'font-stubs'

/**
 * Writes programs that replace the font makers and fail at once.
 *
 * TeX then appends the command to `missfont.log`. With `MKTEXTFM=0` it would not report missing fonts.
 */
export async function writeFontStubs(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o755 })
  for (const name of ['mktextfm', 'mktexpk']) {
    await writeFile(join(folder, name), '#!/bin/sh\nexit 1\n', { mode: 0o555 })
  }
}
