/**
 * A service without an API key trusts every client that can connect, and every web page can send requests to servers on
 * the reader's machine. Browsers send headers that identify the origin of a request; other clients do not.
 */
import { RequestFault } from './wire/request-fault.ts'

/**
 * Rejects browser requests from other sites, and submitted forms.
 *
 * @throws RequestFault 403
 */
export function refuseOtherSites(headers: Headers): void {
  if (isSubmittedForm(headers) || !isSameOrigin(headers)) {
    throw new RequestFault(
      'Without an API key this service accepts no requests from web pages of other sites and no forms. Set COMPILE_API_KEY.',
      { status: 403, code: 'cross_origin' },
    )
  }
}

/** A script that calls the service never navigates. */
function isSubmittedForm(headers: Headers): boolean {
  return headers.get('sec-fetch-mode') === 'navigate'
}

function isSameOrigin(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') return false
  const origin = headers.get('origin')
  if (origin === null) return true
  if (!URL.canParse(origin)) return false
  const { protocol, host, hostname } = new URL(origin)
  // Browsers compare origins themselves, and DNS rebinding is not possible with HTTPS.
  if (site !== null && protocol === 'https:') return true
  return (site !== null || host === headers.get('host')) && isAddressOrLocal(hostname)
}

/** The calling page may have bound any other name to this machine (DNS rebinding). */
function isAddressOrLocal(hostname: string): boolean {
  return /^(?:localhost|\[.*\]|\d+(?:\.\d+){3})$/.test(hostname)
}
