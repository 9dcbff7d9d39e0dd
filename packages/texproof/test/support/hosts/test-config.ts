import type { Config } from '../../../src/config/read-config.ts'

/** Settings of test hosts: limits that tests do not reach, and nothing that leaves the machine. */
export const testConfig: Omit<Config, 'dataDir' | 'backup'> = {
  listen: { host: '127.0.0.1', port: 0 },
  baseUrl: 'http://127.0.0.1',
  trustedProxies: [],
  databaseUrl: null,
  bucket: null,
  sealingKey: null,
  compileApiKey: null,
  isCompileAnonymous: true,
  metrics: { isEnabled: true, token: null },
  sandbox: 'required',
  // Test machines need no delegated control groups.
  registrationLimits: 'any',
  areCoauthorsAllowed: false,
  build: {
    timeoutMs: 60_000,
    maxTimeoutMs: 300_000,
    concurrency: 2,
    isLocal: true,
    leaseMs: 60_000,
    waitingEngines: 0,
    maxFiles: 5000,
    maxBytes: 100e6,
  },
  isPreviewEnabled: true,
  retention: { buildsMs: 365 * 86_400_000, logsMs: 90 * 86_400_000 },
  maxCacheBytes: 10e9,
  maxPushBytes: 50e6,
  isPrivateImportAllowed: true,
  mirrorEveryMs: 3_600_000,
  webhooks: { isPrivateAllowed: true, keepForMs: 30 * 86_400_000 },
  limits: { anonymousPerMinute: 100_000, signedInPerMinute: 100_000 },
  quotas: { repositories: 1_000, storageBytes: 20e9, buildMinutes: 600, concurrentPushes: 16 },
  name: 'papers',
  contact: null,
  isSignInRequired: false,
  isPushToCreate: false,
  origins: [],
  smtp: null,
  oidc: null,
  log: { level: 'info', format: 'json' },
}

/** Settings of tests without PDFs: pushes do not wait, and nothing is compiled. */
export const withoutBuilds: Pick<Config, 'build'> = { build: { ...testConfig.build, isLocal: false } }
