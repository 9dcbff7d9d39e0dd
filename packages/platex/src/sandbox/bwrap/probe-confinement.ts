/**
 * The start-up test: starts the sandbox once and inspects the host from inside.
 *
 * A sandbox that does not start reports the cause and a remedy. One that starts but does not isolate is refused too.
 */

import { readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { findClosedFolder } from '../cache/cache-folder.ts'
import { explainFailure } from './explain-failure.ts'
import { removeTree } from '../remove-tree.ts'
import { runConfined, type Confinement } from './run-confined.ts'
import { SandboxUnavailableError } from '../sandbox-unavailable-error.ts'

/** A few milliseconds are usual. A machine that is busy while it starts must not cost the limits of all compiles. */
const PROBE_TIMEOUT_MS = 60_000
const PROBE_END = 'probe-end'

/**
 * Tests the isolation of a confinement.
 *
 * @throws SandboxUnavailableError if it does not start, or `LEAKY` if it does not isolate.
 */
export async function probeConfinement(confinement: Confinement): Promise<void> {
  const workspaceDir = await confinement.workspaces.create()
  const canary = `${workspaceDir}.canary`
  try {
    await writeFile(canary, '')
    const command = { program: 'sh', args: ['-c', probeScript(canary)] }
    const options = { workspaceDir, timeoutMs: PROBE_TIMEOUT_MS, fontCache: null }
    const { end, stdout, stderr } = await runConfined(confinement, command, options)
    const findings = Buffer.from(stdout).toString('utf8').trim().split('\n')
    if (end.kind === 'timed-out') throw new SandboxUnavailableError(TOO_SLOW)
    if (findings.pop() !== PROBE_END) throw new SandboxUnavailableError(await explainStart(confinement, stderr))
    if (findings.length > 0) throw new SandboxUnavailableError(leaky(findings))
  } finally {
    await removeTree(canary)
    await confinement.workspaces.remove(workspaceDir)
  }
}

/** A shell script that prints a line for each violation, then the final word. */
function probeScript(canary: string): string {
  return [
    `test -e '${canary}' && echo 'sees the files of the host'`,
    "test -e /etc/passwd && echo 'sees the accounts of the host'",
    "test -e /proc/1 && echo 'sees the processes of the host'",
    "(: > /etc/probe) 2>/dev/null && echo 'writes to /etc'",
    "(: > probe) 2>/dev/null || echo 'cannot write to its workspace'",
    "(: > /tmp/probe) 2>/dev/null || echo 'cannot write to its scratch folder'",
    // With Perl (required by biber) the filter is tested too; 97 and 272 are unshare on arm64 and x64.
    `command -v perl >/dev/null && perl -e '
      print "opens sockets\\n" if socket(my $s, 2, 1, 0);
      print "makes user namespaces\\n" if syscall(${process.arch === 'arm64' ? 97 : 272}, 0x10000000) == 0;
      print "makes links\\n" if symlink("probe", "link");'`,
    `echo ${PROBE_END}`,
  ].join('\n')
}

const TOO_SLOW = {
  code: 'TOO_SLOW',
  reason: `The sandbox did not start within ${PROBE_TIMEOUT_MS / 1000} s.`,
  remedy: 'Start the service again when the machine is less busy.',
}

function leaky(findings: readonly string[]) {
  return {
    code: 'LEAKY',
    reason: `The sandbox starts but does not confine programs: it ${findings.join(', ')}.`,
    remedy: 'Report this with the versions of bubblewrap and the kernel, and use another machine until it is fixed.',
  }
}

async function explainStart({ owner, filterFile }: Confinement, stderr: Uint8Array) {
  const read = async (path: string) =>
    readFile(path, 'utf8').then(
      (text) => text.trim(),
      () => null,
    )
  return explainFailure({
    message: Buffer.from(stderr).toString('utf8').trim().split('\n')[0] ?? '',
    maxUserNamespaces: await read('/proc/sys/user/max_user_namespaces'),
    unprivilegedUserNamespaces: await read('/proc/sys/kernel/unprivileged_userns_clone'),
    restrictedByAppArmor: await read('/proc/sys/kernel/apparmor_restrict_unprivileged_userns'),
    processStatus: (await read('/proc/self/status')) ?? '',
    closedFolder: owner === null ? null : await findClosedFolder(dirname(filterFile)),
  })
}
