import type { Build } from '../../../domain/build.ts'

/** Duration of a build, `4.1 s`; a dash while it runs, and for a build that reused an earlier result. */
export function formatDuration({ startedAt, finishedAt }: Pick<Build, 'startedAt' | 'finishedAt'>): string {
  return startedAt === null || finishedAt === null ? '–' : formatSeconds(finishedAt - startedAt)
}

/** Milliseconds as seconds with one decimal place. */
export function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
