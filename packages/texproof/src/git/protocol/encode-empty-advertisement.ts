import { encodePktLine, encodeServiceHeader, flushPkt } from './pkt-line.ts'

/** Capabilities that every supported version of git advertises for a push. */
const CAPABILITIES =
  'report-status report-status-v2 delete-refs side-band-64k quiet atomic ofs-delta push-options object-format=sha1'

/**
 * The answer of `git receive-pack` to `info/refs` for an empty repository, used for one that does not exist yet.
 * Source: gitprotocol-pack(5), gitprotocol-capabilities(5).
 */
export function encodeEmptyAdvertisement(): Uint8Array {
  const line = `${'0'.repeat(40)} capabilities^{}\0${CAPABILITIES}\n`
  return Buffer.concat([encodeServiceHeader('receive-pack', null), encodePktLine(line), flushPkt])
}
