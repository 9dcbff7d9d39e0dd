/**
 * A service without an API key trusts everybody who can reach it, and every web page reaches what runs on the reader's
 * machine. Browsers say where a request comes from; other clients send none of these headers.
 */
import { RequestFault } from './wire/request-fault.ts'

/**
 * Refuses requests that a browser sends for another site, and submitted forms.
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
  // Sent from secure pages only, where a name cannot be bound to another address.
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = headers.get('origin')
  if (origin === null) return true
  if (!URL.canParse(origin)) return false
  const { host, hostname } = new URL(origin)
  return host === headers.get('host') && isAddressOrLocal(hostname)
}

/** Any other name may have been bound to this machine by the page that calls (DNS rebinding). */
function isAddressOrLocal(hostname: string): boolean {
  return /^(?:localhost|\[.*\]|\d+(?:\.\d+){3})$/.test(hostname)
}
