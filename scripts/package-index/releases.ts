/** A release of a distribution whose packages are indexed. */
export interface Release {
  /** `ID-VERSION_ID` from `/etc/os-release`; also the name of the data file. */
  readonly name: string
  readonly suite: string
  /** The origin field of its archive. */
  readonly distribution: 'Debian' | 'Ubuntu'
  readonly components: readonly string[]
  readonly keyring: string
  /** Path of the file list below `dists/SUITE`. */
  readonly contents: readonly string[]
}

const debian = {
  distribution: 'Debian',
  components: ['main'],
  keyring: '/usr/share/keyrings/debian-archive-keyring.gpg',
  contents: ['$(COMPONENT)/Contents-$(ARCHITECTURE)', '$(COMPONENT)/Contents-all'],
} as const

const ubuntu = {
  distribution: 'Ubuntu',
  components: ['main', 'universe'],
  keyring: '/usr/share/keyrings/ubuntu-archive-keyring.gpg',
  contents: ['Contents-$(ARCHITECTURE)'],
} as const

/** The releases that have a package index, oldest TeX Live first. */
export const releases: readonly Release[] = [
  { name: 'debian-12', suite: 'bookworm', ...debian },
  { name: 'ubuntu-24.04', suite: 'noble', ...ubuntu },
  { name: 'debian-13', suite: 'trixie', ...debian },
]
