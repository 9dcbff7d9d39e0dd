/**
 * Settings of every git process, which override the configuration of the machine and of repositories.
 *
 * They are passed to each process (`GIT_CONFIG_COUNT`) instead of being written into repositories, so that a restored
 * or an old repository has the same settings as a new one, and a new release changes them everywhere at once.
 */

/** Name and value of one git setting. */
export type GitSetting = readonly [key: string, value: string]

/** The settings of every git process; see git-config(1). */
export const gitSettings: readonly GitSetting[] = [
  // Nothing in a repository may be executed: no hook, no monitor, no transport. For pushes, this host provides a hook,
  // see `serve-pack.ts`.
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.attributesFile', '/dev/null'],
  ['protocol.allow', 'never'],
  // git must not discover a bare repository inside a pushed tree.
  ['safe.bareRepository', 'explicit'],

  // A push is acknowledged after its objects and refs are on disk; by default, git syncs neither.
  ['core.fsync', 'committed'],
  // Concurrent pushes wait this long (ms) for each other's locks instead of failing.
  ['core.filesRefLockTimeout', '5000'],
  ['core.packedRefsTimeout', '5000'],
  // A push stays one pack: one file to sync, one move out of quarantine.
  ['transfer.unpackLimit', '1'],
  // The host collects garbage itself, after the response to the push.
  ['receive.autogc', 'false'],
  ['gc.auto', '6700'],
  ['gc.autoPackLimit', '50'],
  ['gc.autoDetach', 'false'],
  // It would remove files of refs before their packed values are on disk, see `pack-refs.ts`.
  ['gc.packRefs', 'false'],

  // Malformed objects (`.git` as a file name, `..`, malicious .gitmodules) are refused …
  ['receive.fsckObjects', 'true'],
  // … except these four, which occur in old public histories and are harmless.
  ['receive.fsck.zeroPaddedFilemode', 'warn'],
  ['receive.fsck.badTimezone', 'warn'],
  ['receive.fsck.missingSpaceBeforeDate', 'warn'],
  ['receive.fsck.zeroPaddedDate', 'warn'],
  // By default, git explains how to permit this in the configuration, which users cannot change.
  ['receive.denyDeleteCurrent', 'refuse'],
  // Options of a push have no effect here, but a push with options that scripts add for other hosts must not fail.
  ['receive.advertisePushOptions', 'true'],
  // Complements the check of pushed names: a push can neither read nor move any other ref.
  ['receive.hideRefs', 'refs/'],
  ['receive.hideRefs', '!refs/heads/'],
  ['receive.hideRefs', '!refs/tags/'],

  // Internal refs, such as deleted branches, are never advertised.
  ['uploadpack.hideRefs', 'refs/texproof/'],

  // Protocol version 2 always serves objects by id. In versions 0 and 1, partial clones and submodules require it, too.
  ['uploadpack.allowAnySHA1InWant', 'true'],

  // Partial clones: only the filters that are cheap to serve.
  ['uploadpack.allowFilter', 'true'],
  ['uploadpackfilter.allow', 'false'],
  ['uploadpackfilter.blob:none.allow', 'true'],
  ['uploadpackfilter.blob:limit.allow', 'true'],
  ['uploadpackfilter.tree.allow', 'true'],
  ['uploadpackfilter.tree.maxDepth', '0'],

  // One clone uses one core and a bounded window; large blobs are streamed.
  ['pack.threads', '1'],
  ['pack.windowMemory', '256m'],
  ['core.bigFileThreshold', '32m'],
]

/**
 * Overrides `core.fsync`: objects are synced, and single refs are not. What is named has priority over what is excluded, and
 * `committed` contains `reference`, so this cannot be `committed,-reference`.
 */
export const withoutFlushesOfRefs: GitSetting = ['core.fsync', 'objects,derived-metadata,-reference']
