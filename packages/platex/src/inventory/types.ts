/** A program of the TeX system, as it names itself. */
export interface TexProgram {
  readonly name: string
  /** `1.40.24`; null when it does not say. */
  readonly version: string | null
}

/** Biber and the biblatex that it has to fit: both are released in step, and no other pair works. */
export interface BiblatexPair {
  readonly biber: string
  readonly biblatex: string
  readonly isMatched: boolean
}

/** What there is of TeX on a machine. */
export interface TexInventory {
  /** `TeX Live 2022/Debian`; null without TeX Live. */
  readonly release: string | null
  readonly programs: readonly TexProgram[]
  /** Programs that documents commonly ask for and that are missing. */
  readonly missingPrograms: readonly string[]
  /** What brings those; null where nothing is missing, or nobody knows. */
  readonly installCommand: string | null
  /** null when one of the two is missing or does not say its version. */
  readonly biblatex: BiblatexPair | null
  /** LaTeX packages, classes, and OpenType and TrueType fonts, by their files. */
  readonly packageCount: number
  readonly classCount: number
  readonly fontCount: number
}

/** Whether a package is there. */
export type PackageAnswer =
  | {
      readonly kind: 'installed'
      /** `siunitx.sty`, `beamer.cls`. */
      readonly fileName: string
      /** As its file states it: `2023-01-03 3.2.0`; null when it does not. */
      readonly version: string | null
    }
  | {
      readonly kind: 'missing'
      /** What an administrator types to have it; null where no package of that name is known. */
      readonly installCommand: string | null
      /** Installed ones with a name like it, nearest first. */
      readonly similar: readonly string[]
    }
  /** No package can be called so. */
  | { readonly kind: 'no-name' }
