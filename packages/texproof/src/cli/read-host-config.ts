import { readConfig } from '../config/read-config.ts'
import type { Config } from '../config/read-config.ts'
import { findDataDirHolder } from '../store/sqlite/data-dir-lock.ts'
import { say } from './say.ts'

/**
 * The settings of a host. While its server runs, links start with the address that it recorded in the data directory,
 * because its flags are unknown here.
 */
export function readHostConfig(data: string | undefined): Config {
  const { config } = readConfig({ data })
  const holder = findDataDirHolder(config.dataDir)
  if (holder === null || !URL.canParse(holder.url) || !isRunning(holder.pid)) return config
  return readConfig({ data, settings: { base_url: holder.url, listen: holder.listen } }).config
}

/** Warns before printing a link whose address is derived from the default settings. */
export function warnOfUnknownAddress({ baseUrl, dataDir, origins }: Config): void {
  const source = origins.find(({ key }) => key === 'base_url')?.source ?? ''
  if (!source.startsWith('default')) return
  say(`! No server is running on ${dataDir} and base_url is not set: the link starts with ${baseUrl}.`)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process exists, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
