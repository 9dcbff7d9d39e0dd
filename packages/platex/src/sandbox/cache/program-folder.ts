import { chmod, copyFile, constants, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { prepareFolderOnce } from './cache-folder.ts'
import { FONT_STUB_FOLDER, writeFontStubs } from '../metafont/font-stubs.ts'
import type { TexInstallation } from '../tex-installation.ts'

/**
 * Prepares the folder that confined programs see as /usr/bin: copies of exactly the programs a compile needs.
 *
 * One folder is one mount. Binding each program would need a mount for each, and bubblewrap reads the whole mount table
 * for every mount. Programs of a TeX installation outside /usr/bin stay in their own folder.
 */
export async function prepareProgramFolder(cacheDir: string, installation: TexInstallation): Promise<string> {
  const folder = join(cacheDir, `programs-${installation.programFingerprint}`)
  await prepareFolderOnce(folder, async (draft) => {
    await writeFontStubs(join(draft, FONT_STUB_FOLDER))
    const copied = new Set<string>()
    for (const [name, { realPath }] of installation.programs) {
      if (dirname(realPath) === installation.ownProgramDir) continue
      const file = basename(realPath)
      if (!copied.has(file)) {
        await copyFile(realPath, join(draft, file), constants.COPYFILE_FICLONE)
        await chmod(join(draft, file), 0o555)
        copied.add(file)
      }
      // TeX engines select their format by the name of the program.
      if (name !== file && !copied.has(name)) {
        await symlink(file, join(draft, name))
        copied.add(name)
      }
    }
  })
  return folder
}
