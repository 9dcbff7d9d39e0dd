import type { SandboxWeakness } from '../types.ts'

/** Evidence about a sandbox that did not start. */
export interface FailureEvidence {
  /** First line that bubblewrap wrote. */
  readonly message: string
  /** Content of /proc/sys/user/max_user_namespaces, or null. */
  readonly maxUserNamespaces: string | null
  /** Content of /proc/sys/kernel/unprivileged_userns_clone, or null where the kernel has no such switch. */
  readonly unprivilegedUserNamespaces: string | null
  /** Content of /proc/sys/kernel/apparmor_restrict_unprivileged_userns, or null. */
  readonly restrictedByAppArmor: string | null
  /** Content of /proc/self/status. */
  readonly processStatus: string
  /** A folder above the cache folder that the user of confined programs cannot enter, or null. */
  readonly closedFolder: string | null
}

/** Names the cause of a sandbox that did not start, and the remedy. Pure, so that rare hosts can be tested. */
export function explainFailure(evidence: FailureEvidence): SandboxWeakness {
  const { message } = evidence
  const said = message === '' ? '' : ` bubblewrap said: ${message}`
  const { closedFolder } = evidence
  if (closedFolder !== null && /Can't find source path/.test(message)) {
    return {
      code: 'CACHE_CLOSED',
      reason: `Users other than root cannot enter the folder ${closedFolder}, and compiles of root run as another user.${said}`,
      remedy: `Open it: chmod o+x ${closedFolder}. Or set TMPDIR to a folder that all users can enter.`,
    }
  }
  if (evidence.maxUserNamespaces === '0' || /ENOSPC|No space left/.test(message)) {
    return {
      code: 'USERNS_MAX0',
      reason: `User namespaces are disabled (user.max_user_namespaces=${evidence.maxUserNamespaces}).${said}`,
      remedy: 'Enable them: sysctl -w user.max_user_namespaces=16384',
    }
  }
  if (evidence.unprivilegedUserNamespaces === '0') {
    return {
      code: 'USERNS_DEBIAN',
      reason: `User namespaces are restricted to root (kernel.unprivileged_userns_clone=0).${said}`,
      remedy: 'Allow them: sysctl -w kernel.unprivileged_userns_clone=1',
    }
  }
  if (evidence.restrictedByAppArmor === '1' && /uid map|RTM_NEWADDR|denied|not permitted/i.test(message)) {
    return {
      code: 'USERNS_APPARMOR',
      reason: `AppArmor restricts user namespaces (kernel.apparmor_restrict_unprivileged_userns=1).${said}`,
      remedy: 'Install an AppArmor profile for bwrap that contains "userns,".',
    }
  }
  if (/No permissions to create|Creating new namespace failed|Operation not permitted/i.test(message)) {
    const isFiltered = /^Seccomp:\s+2$/m.test(evidence.processStatus)
    return {
      code: 'USERNS_SECCOMP',
      reason: `New namespaces are refused${isFiltered ? ' by the container this runs in' : ''}.${said}`,
      remedy:
        'Start the container with a seccomp profile that allows unshare, clone, mount and pivot_root ' +
        '(--security-opt seccomp=…, on Ubuntu hosts also --security-opt apparmor=…); never with --privileged.',
    }
  }
  return {
    code: 'BWRAP',
    reason: `The sandbox does not start.${said}`,
    remedy: 'Try the command: bwrap --unshare-all --ro-bind / / true',
  }
}
