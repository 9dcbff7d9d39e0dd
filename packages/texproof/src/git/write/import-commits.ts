import { refuseRefName } from '../../domain/git/ref-names.ts'
import type { ImportedCommit } from '../types.ts'
import { encodeCommit, fastImport } from './fast-import.ts'

/**
 * Adds commits in the given order, each on top of its branch, and their tags.
 *
 * @throws Error when a ref has an invalid name, or git refuses; nothing is added then.
 */
export async function importCommits(
  gitDir: string,
  commits: readonly ImportedCommit[],
  { searchPath }: { readonly searchPath: string },
): Promise<void> {
  /** The newest commit of each branch, by its mark. */
  const heads = new Map<string, number>()
  const stream: (string | Uint8Array)[] = []
  for (const [index, { branch, from, files, author, message, tag }] of commits.entries()) {
    const mark = index + 1
    const parent = heads.get(branch) ?? heads.get(from ?? '')
    heads.set(branch, mark)
    const ref = checkRef(`refs/heads/${branch}`)
    const changes = [...files].map(([path, bytes]) => ({ kind: 'write', path, bytes, isExecutable: false }) as const)
    const parentMark = parent === undefined ? null : `:${parent}`
    stream.push(...encodeCommit({ ref, mark, from: parentMark, author, message, changes }))
    if (tag !== null) stream.push(`reset ${checkRef(`refs/tags/${tag}`)}\nfrom :${mark}\n\n`)
  }
  await fastImport(gitDir, stream, { searchPath })
}

function checkRef(ref: string): string {
  const refusal = refuseRefName(ref)
  if (refusal !== null) throw new Error(`import commits: ${refusal}`)
  return ref
}
