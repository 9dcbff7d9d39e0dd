/**
 * Settings of every git process, whatever the configuration of the machine or of a repository says.
 *
 * The settings travel with each process (`GIT_CONFIG_COUNT`) instead of being written into repositories, so that a
 * restored or an old repository obeys the same rules as a new one, and a new release changes them everywhere at once.
 */

/** Name and value of one git setting. */
export type GitSetting = readonly [key: string, value: string]

/** The settings of every git process; see git-config(1). */
export const gitSettings: readonly GitSetting[] = [
  // Nothing that lies in a repository may run: no hook, no watcher, no transport. A push runs a hook of ours, see
  // `serve-pack.ts`.
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.attributesFile', '/dev/null'],
  ['protocol.allow', 'never'],
  // A bare repository hidden inside a pushed tree is never entered by discovery.
  ['safe.bareRepository', 'explicit'],

  // A push is acknowledged after its objects and refs are on the disk; git's default flushes neither.
  ['core.fsync', 'committed'],
  // Two pushes at once wait for each other's locks for this long (ms) instead of failing.
  ['core.filesRefLockTimeout', '5000'],
  ['core.packedRefsTimeout', '5000'],
  // A push stays one pack: one file to flush, one move out of quarantine.
  ['transfer.unpackLimit', '1'],
  // We collect garbage ourselves, after the answer to the push.
  ['receive.autogc', 'false'],
  ['gc.auto', '6700'],
  ['gc.autoPackLimit', '50'],
  ['gc.autoDetach', 'false'],

  // Malformed objects (`.git` as a file name, `..`, hostile .gitmodules) are refused …
  ['receive.fsckObjects', 'true'],
  // … except these four, which occur in old public histories and are harmless.
  ['receive.fsck.zeroPaddedFilemode', 'warn'],
  ['receive.fsck.badTimezone', 'warn'],
  ['receive.fsck.missingSpaceBeforeDate', 'warn'],
  ['receive.fsck.zeroPaddedDate', 'warn'],
  // A second guard behind the check of pushed names: no other ref can be seen or moved by a push.
  ['receive.hideRefs', 'refs/'],
  ['receive.hideRefs', '!refs/heads/'],
  ['receive.hideRefs', '!refs/tags/'],

  // Internal refs, such as deleted branches, are never advertised.
  ['uploadpack.hideRefs', 'refs/texproof/'],

  // Partial clones: the filters that cost nothing to serve, no other.
  ['uploadpack.allowFilter', 'true'],
  ['uploadpackfilter.allow', 'false'],
  ['uploadpackfilter.blob:none.allow', 'true'],
  ['uploadpackfilter.blob:limit.allow', 'true'],
  ['uploadpackfilter.tree.allow', 'true'],
  ['uploadpackfilter.tree.maxDepth', '0'],

  // One clone takes one core and a bounded window; big blobs are streamed, not held.
  ['pack.threads', '1'],
  ['pack.windowMemory', '256m'],
  ['core.bigFileThreshold', '32m'],
]
