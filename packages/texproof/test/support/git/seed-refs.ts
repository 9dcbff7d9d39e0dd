import { runTestGit } from '../programs/run-program.ts'

/** Content of a seeded commit, with constant defaults, so that its id is known beforehand. */
export interface SeedCommit {
  readonly message?: string
  /** `Name <address> seconds offset`, as in git. */
  readonly author?: string
  readonly committer?: string
}

const defaultPerson = 'Alice Author <alice@private.example> 1700000000 +0130'

/** Adds one commit to a branch of a bare repository, creating the branch if needed, and returns the commit's id. */
export async function seedCommit(gitDir: string, branch: string, commit: SeedCommit = {}): Promise<string> {
  const parentId = await runTestGit(gitDir, ['for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`])
  const message = commit.message ?? 'Write the first section\n'
  const stream = [
    `commit refs/heads/${branch}`,
    `author ${commit.author ?? defaultPerson}`,
    `committer ${commit.committer ?? commit.author ?? defaultPerson}`,
    `data ${Buffer.byteLength(message)}`,
    message,
    ...(parentId === '' ? [] : [`from ${parentId}`]),
    'M 100644 inline main.tex',
    'data 6',
    'hello\n',
    '',
  ]
  await runTestGit(gitDir, ['fast-import', '--quiet', '--force'], stream.join('\n'))
  return runTestGit(gitDir, ['rev-parse', `refs/heads/${branch}`])
}

/** Sets many refs, given by their full names, to one object. */
export async function seedRefs(gitDir: string, refs: readonly string[], objectId: string): Promise<void> {
  await runTestGit(gitDir, ['update-ref', '--stdin'], refs.map((ref) => `create ${ref} ${objectId}\n`).join(''))
}
