import type { Config } from '../../config/read-config.ts'
import { checkGit } from '../../git/admin/check-git.ts'
import type { Finding } from './finding.ts'

/** Checks that git is installed, recent enough, and accepts the owner of the repositories. */
export async function checkGitProgram(config: Config): Promise<Finding[]> {
  const { problem, version } = await checkGit(config)
  if (problem !== null) return [{ check: 'git', state: 'broken', message: problem.problem, remedy: problem.remedy }]
  return [{ check: 'git', state: 'good', message: `git ${version ?? ''}`, remedy: null }]
}
