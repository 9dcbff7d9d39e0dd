/** The project index: labels, citations, sections and files of the branch with the user's drafts. */

/** The place of an item. */
interface Place {
  readonly path: string
  /** 1-based. */
  readonly line: number
}

export interface Label extends Place {
  readonly name: string
  /** Caption or section. */
  readonly context: string
}

export interface Citation extends Place {
  readonly key: string
  readonly author: string
  readonly year: string
  readonly title: string
}

export interface Section extends Place {
  readonly level: number
  readonly title: string
}

export interface ProjectIndex {
  /** Folder in which TeX runs: '' or with a slash at the end. */
  readonly root: string
  readonly files: readonly string[]
  readonly labels: readonly Label[]
  readonly citations: readonly Citation[]
  readonly sections: readonly Section[]
  readonly commands: readonly string[]
  readonly environments: readonly string[]
  readonly packages: readonly string[]
  /** The commands of the root file that choose languages. */
  readonly languages: string
}

/** The project of the edited file. */
export interface Project {
  /** The newest index; null while the server is busy or cannot be reached. */
  read(): Promise<ProjectIndex | null>
  /** The next `read` asks the server again. */
  invalidate(): void
}

/** The project at an address. It is requested when it is needed first. */
export function openProject(address: string): Project {
  let index: Promise<ProjectIndex | null> | null = null
  const ask = async (): Promise<ProjectIndex | null> => {
    // Without a network: null, and the next read asks again.
    const answer = await fetch(address, { headers: { accept: 'application/json' } }).catch(() => null)
    const found = answer?.ok === true ? ((await answer.json()) as ProjectIndex | null) : null
    if (found === null) index = null
    return found
  }
  return {
    read: () => (index ??= ask()),
    invalidate: () => (index = null),
  }
}
