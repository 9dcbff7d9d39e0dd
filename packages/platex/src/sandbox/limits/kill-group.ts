import { listProcessTree } from './process-tree.ts'

/**
 * Kills the leader of a process group, the group and everything below it.
 *
 * The group alone is not enough: bubblewrap's child opens a session of its own, and asks to die with its parent only a
 * moment after. Stopping the leader first keeps it from starting that child behind our back.
 */
export function killGroup(leader: number): void {
  sendSignal(leader, 'SIGSTOP')
  const tree = listProcessTree(leader)
  sendSignal(-leader, 'SIGKILL')
  for (const pid of tree) sendSignal(pid, 'SIGKILL')
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself in the meantime.
  }
}
