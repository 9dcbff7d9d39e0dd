import { existsSync } from 'node:fs'

import { chromium } from 'playwright-core'
import type { Browser, BrowserServer } from 'playwright-core'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
)

/** Why no browser is available, or false: the `skip` of a test. */
export const withoutBrowser = executablePath === undefined && 'Chromium is not installed'

/** Timeout of one step in a page; generous for busy machines. */
const patienceMs = 120_000

/**
 * The features that Playwright disables, because the last such argument wins, and RenderDocument: a new frame for every
 * page of the same site costs a quarter of the processor time of a page.
 */
const disabledFeatures = [
  'RenderDocument',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

const launchOptions = {
  ...(executablePath === undefined ? {} : { executablePath }),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--disable-features=${disabledFeatures.join(',')}`,
  ],
}

interface BrowserOptions {
  /** Not shared with other test files: for what contexts have in common, such as the clipboard. @default false */
  readonly isOwn?: boolean
}

/** Opens the real browser of this machine, without any traffic of its own. The test files of a run share one process. */
export async function openBrowser({ isOwn = false }: BrowserOptions = {}): Promise<Browser> {
  const shared = isOwn ? undefined : process.env['TEST_BROWSER']
  const browser = await (shared === undefined ? chromium.launch(launchOptions) : chromium.connect(shared))
  browser.on('context', (context) => context.setDefaultTimeout(patienceMs))
  return browser
}

/** Starts the browser that the test files share; its address is for `TEST_BROWSER`. */
export function startSharedBrowser(): Promise<BrowserServer> {
  return chromium.launchServer(launchOptions)
}
