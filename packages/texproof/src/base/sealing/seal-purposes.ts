/** What a sealed text is for: see `Seal`. Texts in the database are stored with these purposes, so they never change. */
export const sealPurposes = {
  /** The secret of an authenticator app. */
  secondFactor: (userId: string) => `second-factor:${userId}`,
  webhook: (repositoryId: number) => `webhook:${repositoryId}`,
  shareLink: (repositoryId: number) => `share-link:${repositoryId}`,
}
