/**
 * The folders of each package's `src`, lowest layer first: a folder imports only from folders before it.
 * A folder that is not listed is not checked.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  platex: [
    'worker',
    'escape',
    'sandbox',
    'log',
    'inventory',
    'explain',
    'engine',
    'compile',
    'service',
    'client',
    'api',
  ],
  texproof: [
    'domain',
    'base',
    'config',
    'store',
    'git',
    'papers',
    'mail',
    'templates',
    'operations',
    'accounts',
    'demo',
    'backup',
    'docs',
    'api',
    'compat',
    'smart-http',
    'web',
    'main',
    'cli',
  ],
}
