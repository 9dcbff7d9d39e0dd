// A process to be killed while a program runs in a workspace. Prints a line when the program runs.

import { openSandbox } from '../../src/sandbox/open-sandbox.ts'

const sandbox = await openSandbox('required')
const workspaceDir = await sandbox.createWorkspace()
await sandbox.run(
  { program: 'sh', args: ['-c', 'sleep 4243 & echo running; wait'] },
  { workspaceDir, timeoutMs: 60_000, onStdout: (chunk) => process.stdout.write(chunk) },
)
