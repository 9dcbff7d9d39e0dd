import { captureOutput } from './capture-output.ts'
import type { TexInstallation } from './tex-installation.ts'

/** What a program of the installation prints when it is asked about itself, on no document; null when it is missing or fails. */
export async function askProgram(
  { programs, ownProgramDir }: TexInstallation,
  name: string,
  args: readonly string[],
): Promise<string | null> {
  const program = programs.get(name)
  if (program === undefined) return null
  const env = { PATH: ownProgramDir ?? '/usr/bin:/bin', HOME: '/nonexistent', LC_ALL: 'C.UTF-8' }
  return captureOutput(program.path, args, env).catch(() => null)
}
