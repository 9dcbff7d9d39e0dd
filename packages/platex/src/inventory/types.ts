/** A program of the TeX installation. */
export interface TexProgram {
  readonly name: string
  /** `1.40.24`; null if unknown. */
  readonly version: string | null
}

/** Biber and biblatex: only versions that were released together work. */
export interface BiblatexPair {
  readonly biber: string
  readonly biblatex: string
  readonly isMatched: boolean
}

/** The TeX installation of a machine. */
export interface TexInventory {
  /** `TeX Live 2022/Debian`; null without TeX Live. */
  readonly release: string | null
  readonly programs: readonly TexProgram[]
  /** Missing programs that documents commonly request. */
  readonly missingPrograms: readonly string[]
  /** The command that installs them; null if none is missing, or no package is known. */
  readonly installCommand: string | null
  /** null if one of the two is missing or its version is unknown. */
  readonly biblatex: BiblatexPair | null
  /** LaTeX packages, classes, and OpenType and TrueType fonts, by their files. */
  readonly packageCount: number
  readonly classCount: number
  readonly fontCount: number
}

/** Whether a package is installed. */
export type PackageAnswer =
  | {
      readonly kind: 'installed'
      /** `siunitx.sty`, `beamer.cls`. */
      readonly fileName: string
      /** Version declared in the file of the package: `2023-01-03 3.2.0`; null if it declares none. */
      readonly version: string | null
    }
  | {
      readonly kind: 'missing'
      /** The command that installs it; null if no package of that name is known. */
      readonly installCommand: string | null
      /** Installed packages with a similar name, most similar first. */
      readonly similar: readonly string[]
    }
  /** The text is not a valid package name. */
  | { readonly kind: 'no-name' }
