/** Where an issuer sends people back to: this path under the base URL is what it must know of a host. */
export const issuerCallback = '/login/oidc/callback'
