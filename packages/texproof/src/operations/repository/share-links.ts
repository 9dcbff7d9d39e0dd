/** Share links: an address that shows one PDF without an account, until it expires or is revoked. */
import { sealPurposes } from '../../base/sealing/seal-purposes.ts'
import { sealText, unsealText } from '../../base/sealing/seal-text.ts'
import { hashSecretText, makeSecretText } from '../../base/secret-text.ts'
import type { Repository } from '../../domain/types.ts'
import type { ShareLink } from '../../store/repositories/share-links.ts'
import type { Store } from '../../store/store.ts'

/** The document to share and the expiry. */
export interface ShareRequest {
  readonly repositoryId: number
  /** The user who creates the link. */
  readonly userId: string
  /** Full name of a branch or tag to follow, or the id of a fixed commit. */
  readonly ref: string
  /** null = the first document. */
  readonly document: string | null
  /** Epoch milliseconds; null = never. */
  readonly expiresAt: number | null
}

/** The database, and the data directory with the key of sealed texts. */
export interface ShareLinkStores {
  readonly store: Store
  readonly dataDir: string
}

/** A new link and its text, which is in its address. */
export interface CreatedShareLink {
  readonly link: ShareLink
  readonly text: string
}

/** A link of a repository, and the user who changes it. */
export interface ShareLinkChange {
  readonly repositoryId: number
  readonly userId: string
  readonly linkId: number
}

/** Creates a share link; null if the repository has as many active links as it may have. */
export async function createShareLink(
  { store, dataDir }: ShareLinkStores,
  { repositoryId, userId, ref, document, expiresAt }: ShareRequest,
): Promise<CreatedShareLink | null> {
  const { text, ...secret } = await makeSecret(repositoryId, dataDir)
  const link = await store.shareLinks.add({ repositoryId, createdBy: userId, ...secret, ref, document, expiresAt })
  if (link === null) return null
  await record(store, { kind: 'share-link-created', repositoryId, userId, detail: ref })
  return { link, text }
}

/** Gives a link a new address and revokes the old one; null if there is no such link, or it is revoked already. */
export async function replaceShareLink(
  { store, dataDir }: ShareLinkStores,
  { repositoryId, userId, linkId }: ShareLinkChange,
): Promise<CreatedShareLink | null> {
  const { text, ...secret } = await makeSecret(repositoryId, dataDir)
  const link = await store.shareLinks.replace(linkId, { repositoryId, createdBy: userId, ...secret })
  if (link === null) return null
  await record(store, { kind: 'share-link-created', repositoryId, userId, detail: link.ref })
  await record(store, { kind: 'share-link-revoked', repositoryId, userId, detail: `link ${linkId}` })
  return { link, text }
}

async function makeSecret(
  repositoryId: number,
  dataDir: string,
): Promise<{ readonly text: string; readonly hash: string; readonly sealed: string }> {
  const text = makeSecretText()
  const sealed = await sealText(text, { dataDir, purpose: sealPurposes.shareLink(repositoryId) })
  return { text, hash: hashSecretText(text), sealed }
}

/** The text of a link; null if it is revoked, was created before texts were stored, or the sealing key is missing. */
export async function readShareLinkText({ sealed, repositoryId }: ShareLink, dataDir: string): Promise<string | null> {
  return sealed === null ? null : unsealText(sealed, { dataDir, purpose: sealPurposes.shareLink(repositoryId) })
}

/** Revokes a link permanently; false if the repository has no such link, or it is revoked already. */
export async function revokeShareLink(
  store: Store,
  { repositoryId, userId, linkId }: ShareLinkChange,
): Promise<boolean> {
  const isRevoked = await store.shareLinks.revoke(repositoryId, linkId)
  if (isRevoked) await record(store, { kind: 'share-link-revoked', repositoryId, userId, detail: `link ${linkId}` })
  return isRevoked
}

/** Shared content of private repositories is recorded in the audit log. */
async function record(
  store: Store,
  event: { readonly kind: string; readonly repositoryId: number; readonly userId: string; readonly detail: string },
): Promise<void> {
  const { kind, repositoryId, userId, detail } = event
  const repository = await store.repositories.findById(repositoryId)
  const name = repository === null ? '' : `${repository.owner.login}/${repository.name} `
  await store.events.add({ kind, userId, actorId: userId, detail: name + detail })
}

/** Whether a link was revoked or has expired. */
export function isEnded({ revokedAt, expiresAt }: Pick<ShareLink, 'revokedAt' | 'expiresAt'>): boolean {
  return revokedAt !== null || (expiresAt !== null && expiresAt <= Date.now())
}

/** The target of a link: `gone` = it expired or was revoked; null = it never existed. */
export type SharedDocument =
  | { readonly kind: 'open'; readonly link: ShareLink; readonly repository: Repository }
  | { readonly kind: 'gone' }

/**
 * Opens a link by its text. A link ends when it expires or is revoked, and with the account of its creator and its
 * repository.
 */
export async function openShareLink(store: Store, text: string): Promise<SharedDocument | null> {
  const link = await store.shareLinks.findByHash(hashSecretText(text))
  if (link === null) return null
  const [repository, creator] = await Promise.all([
    store.repositories.findById(link.repositoryId),
    store.users.findById(link.createdBy),
  ])
  if (isEnded(link) || repository === null || repository.isDisabled || creator === null || creator.isDisabled)
    return { kind: 'gone' }
  return { kind: 'open', link, repository }
}
