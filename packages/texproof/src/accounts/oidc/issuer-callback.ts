/** Path of the redirect URI that is registered with the identity provider, under the base URL. */
export const issuerCallback = '/login/oidc/callback'
