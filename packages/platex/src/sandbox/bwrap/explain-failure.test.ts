import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainFailure, type FailureEvidence } from './explain-failure.ts'

const NOTHING_KNOWN: FailureEvidence = {
  message: '',
  maxUserNamespaces: '63000',
  unprivilegedUserNamespaces: null,
  restrictedByAppArmor: null,
  processStatus: 'Seccomp:\t0\n',
  closedFolder: null,
}

const CASES: readonly { readonly host: string; readonly evidence: Partial<FailureEvidence>; readonly code: string }[] =
  [
    { host: 'user namespaces set to zero', evidence: { maxUserNamespaces: '0' }, code: 'USERNS_MAX0' },
    { host: 'an exhausted quota', evidence: { message: 'bwrap: No space left on device' }, code: 'USERNS_MAX0' },
    { host: "Debian's old switch", evidence: { unprivilegedUserNamespaces: '0' }, code: 'USERNS_DEBIAN' },
    {
      host: 'Ubuntu with AppArmor, uid map',
      evidence: { restrictedByAppArmor: '1', message: 'bwrap: setting up uid map: Permission denied' },
      code: 'USERNS_APPARMOR',
    },
    {
      host: 'Ubuntu with AppArmor, loopback',
      evidence: {
        restrictedByAppArmor: '1',
        message: 'bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted',
      },
      code: 'USERNS_APPARMOR',
    },
    {
      host: 'a container with a seccomp filter',
      evidence: {
        processStatus: 'Seccomp:\t2\n',
        message: 'bwrap: No permissions to create new namespace, likely because the kernel does not allow it',
      },
      code: 'USERNS_SECCOMP',
    },
    {
      host: 'a root service below a private folder',
      evidence: {
        restrictedByAppArmor: '1',
        message: "bwrap: Can't find source path /root/tmp/platex-0/programs: Permission denied",
        closedFolder: '/root/tmp',
      },
      code: 'CACHE_CLOSED',
    },
    { host: 'anything else', evidence: { message: 'bwrap: execvp: No such file or directory' }, code: 'BWRAP' },
  ]

for (const { host, evidence, code } of CASES) {
  test(`explainFailure names ${code} for ${host}`, () => {
    assert.equal(explainFailure({ ...NOTHING_KNOWN, ...evidence }).code, code)
  })
}

test('explainFailure names the folder that other users cannot enter, and the command', () => {
  const message = "bwrap: Can't find source path /root/tmp/platex-0/programs: Permission denied"
  assert.deepEqual(explainFailure({ ...NOTHING_KNOWN, message, closedFolder: '/root/tmp' }), {
    code: 'CACHE_CLOSED',
    reason: `Users other than root cannot enter the folder /root/tmp, and compiles of root run as another user. bubblewrap said: ${message}`,
    remedy: 'Open it: chmod o+x /root/tmp. Or set TMPDIR to a folder that all users can enter.',
  })
})
