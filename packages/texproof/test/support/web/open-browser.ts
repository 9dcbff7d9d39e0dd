import { existsSync } from 'node:fs'

import { chromium } from 'playwright-core'
import type { Browser, BrowserServer } from 'playwright-core'

/** The headless shell is Chromium without its windows: a page takes less than half the processor time. */
const executablePath = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path))

/** Why no browser is available, or false: the `skip` of a test. */
export const withoutBrowser = executablePath === undefined && 'Chromium is not installed'

/** Timeout of one step in a page; generous for busy machines. */
const patienceMs = 120_000

/**
 * The features that Playwright disables, because the last such argument wins, and two more. RenderDocument: a new frame
 * for every page of the same site costs a quarter of the processor time of a page. SpareRendererForSitePerProcess starts a
 * process for the next site, which a test never opens.
 */
const disabledFeatures = [
  'RenderDocument',
  'SpareRendererForSitePerProcess',
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
    // There is no GPU: the compositor need not have a process of its own.
    '--in-process-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--disable-features=${disabledFeatures.join(',')}`,
  ],
}

interface BrowserOptions {
  /**
   * Whether the browser is not shared with other test files, for state that contexts share, such as the clipboard.
   * @default false
   */
  readonly isOwn?: boolean
  /**
   * False for tests that only read the page, with a browser of their own: without frames, a page takes a quarter less
   * processor time, but clicks and animations wait forever. @default true
   */
  readonly isPainted?: boolean
}

/** Opens the real browser of this machine, without any traffic of its own. The test files of a run share one process. */
export async function openBrowser({ isOwn = false, isPainted = true }: BrowserOptions = {}): Promise<Browser> {
  const shared = isOwn || !isPainted ? undefined : process.env['TEST_BROWSER']
  const args = isPainted ? launchOptions.args : [...launchOptions.args, '--disable-threaded-compositing']
  const browser = await (shared === undefined ? chromium.launch({ ...launchOptions, args }) : chromium.connect(shared))
  browser.on('context', (context) => context.setDefaultTimeout(patienceMs))
  return browser
}

/** Starts the browser that the test files share; its address is for `TEST_BROWSER`. */
export function startSharedBrowser(): Promise<BrowserServer> {
  return chromium.launchServer(launchOptions)
}
