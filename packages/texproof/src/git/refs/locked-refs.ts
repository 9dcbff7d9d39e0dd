/**
 * Distinguishes why a ref was not moved: another push has moved it, a lock blocked git, or this machine failed. git
 * reports all in the same way.
 */

/** Whether git reports that a lock blocked it, or the new file of packed refs, which is written under a lock. */
export function isLocked(output: string): boolean {
  return /Unable to create '[^\n]*\.lock': File exists|unable to create file [^\n]*\/packed-refs\.new: File exists/.test(
    output,
  )
}

/**
 * Whether git reports that a ref does not have the expected value, or that its name conflicts with another ref. After a
 * fault of this machine, git may report an object or a ref as missing that it could not read.
 */
export function isMoved(output: string): boolean {
  return movedRef.test(output) && !isMachineFault(output)
}

/** Messages of refs/files-backend.c and refs.c. A reason of the system may follow `unable to resolve reference`. */
const movedRef =
  /but expected|reference already exists|reference is missing|unable to resolve reference '[^'\n]*'$|exists; cannot create|cannot process .* at the same time|trying to write non-commit|nonexistent object|is not a valid|there (?:is|are) still (?:logs|refs) under|non-empty directory/m

/** Whether git reports an error of the system, or a damaged ref. */
export function isMachineFault(output: string): boolean {
  return machineFault.test(output)
}

/** Texts of strerror(3), and messages of git. */
const machineFault =
  /input\/output error|too many open files|out of memory|malloc failed|cannot allocate memory|resource temporarily unavailable|permission denied|operation not permitted|stale file handle|no space left|disk quota exceeded|read-only file system|reference broken/i

/**
 * Replaces git's `failed to update ref` with the reason, for each ref, and its refusals to delete the default branch and of
 * shallow clones; `output` is git's standard error.
 */
export function explainFailedRefs(report: readonly Uint8Array[], output: string): readonly Uint8Array[] {
  return report.map((line) => {
    const text = Buffer.from(line).toString('utf8')
    const [, current] = /^ng (\S+) deletion of the current branch prohibited$/.exec(text) ?? []
    if (current !== undefined) return Buffer.from(`ng ${current} ${defaultBranchReason}`)
    const [, shallow] = /^ng (\S+) shallow update not allowed$/.exec(text) ?? []
    if (shallow !== undefined) return Buffer.from(`ng ${shallow} ${shallowReason}`)
    const [, ref] = /^ng (\S+) failed to update ref$/.exec(text) ?? []
    if (ref !== undefined && output.includes(`cannot update ref '${ref}': trying to write non-commit object `))
      return Buffer.from(`ng ${ref} ${nonCommitReason}`)
    const at = ref === undefined ? -1 : output.indexOf(`cannot lock ref '${ref}': `)
    if (ref === undefined || at === -1) return line
    const why = output.slice(at).split('\n', 1)[0] ?? ''
    return Buffer.from(`ng ${ref} ${reasonOf(why)}`)
  })
}

function reasonOf(why: string): string {
  if (isLocked(why)) return lockedReason
  const [, kind, other] = /'refs\/(head|tag)s\/([^']+)' exists; cannot create/.exec(why) ?? []
  if (kind !== undefined && other !== undefined) return conflictReason(kind === 'head' ? 'branch' : 'tag', other)
  return isMoved(why) ? movedReason : failedReason
}

function conflictReason(kind: 'branch' | 'tag', other: string): string {
  const many = kind === 'branch' ? 'branches' : 'tags'
  return `conflicts with the ${kind} ${other}: a ${kind} and a folder of ${many} cannot have the same name`
}

const defaultBranchReason = 'it is the default branch; first choose another default branch in the repository settings'
const shallowReason = 'its history is incomplete; run git fetch --unshallow and push again'
const nonCommitReason = 'a branch must name a commit; push the commit of a tag as TAG^{commit}'
const lockedReason = 'locked by another operation; push again in a minute'
const movedReason = 'moved by another push; fetch, merge and push again'
const failedReason = 'the server could not write it; push again, and contact the administrator if this continues'
