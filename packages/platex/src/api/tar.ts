/** Reading of tar archives, for programs that accept them beside `POST /compile`. */
export { decodeEntryName } from '../tar/decode-entry-name.ts'
export { isTar, readTar, type TarEntry } from '../tar/read-tar.ts'
export { shorten, showInvisible, TarError } from '../tar/tar-error.ts'
