import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainFailure, type FailureEvidence } from './explain-failure.ts'

const NOTHING_KNOWN: FailureEvidence = {
  message: '',
  maxUserNamespaces: '63000',
  unprivilegedUserNamespaces: null,
  restrictedByAppArmor: null,
  processStatus: 'Seccomp:\t0\n',
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
    { host: 'anything else', evidence: { message: 'bwrap: execvp: No such file or directory' }, code: 'BWRAP' },
  ]

for (const { host, evidence, code } of CASES) {
  test(`explainFailure names ${code} for ${host}`, () => {
    assert.equal(explainFailure({ ...NOTHING_KNOWN, ...evidence }).code, code)
  })
}
