/** Distinguishes a locked ref from one that another push has moved: git reports both in the same way. */

/** Whether git reports that a lock blocked it, or the new file of packed refs, which is written under a lock. */
export function isLocked(output: string): boolean {
  return /Unable to create '[^\n]*\.lock': File exists|unable to create file [^\n]*\/packed-refs\.new: File exists/.test(
    output,
  )
}

/** Replaces git's `failed to update ref` with the reason, for each ref; `output` is git's standard error. */
export function explainFailedRefs(report: readonly Uint8Array[], output: string): readonly Uint8Array[] {
  return report.map((line) => {
    const [, ref] = /^ng (\S+) failed to update ref$/.exec(Buffer.from(line).toString('utf8')) ?? []
    const at = ref === undefined ? -1 : output.indexOf(`cannot lock ref '${ref}': `)
    if (ref === undefined || at === -1) return line
    const why = output.slice(at).split('\n', 1)[0] ?? ''
    return Buffer.from(`ng ${ref} ${isLocked(why) ? lockedReason : movedReason}`)
  })
}

const lockedReason = 'locked by another operation; push again in a minute'
const movedReason = 'moved by another push; fetch, merge and push again'
