import type { DatabaseCounts } from '../../store/sqlite/database-file.ts'

/** `3 users, 1 repository, 5 tokens`. */
export function describeCounts({ users, repositories, tokens }: DatabaseCounts): string {
  return `${count(users, 'user', 'users')}, ${count(repositories, 'repository', 'repositories')}, ${count(tokens, 'token', 'tokens')}`
}

/** `2026-11-21 10:15 UTC` of epoch milliseconds. */
export function describeTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function count(many: number, one: string, more: string): string {
  return `${many} ${many === 1 ? one : more}`
}
