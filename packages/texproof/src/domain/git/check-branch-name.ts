import { refuseRefName } from './ref-names.ts'

type Names = readonly { readonly name: string }[]

/**
 * Checks the name of a new branch. Returns the reason of a refusal, or null if it is valid and unused. `tags`: a branch of
 * the same name would take over the pages of the tag.
 */
export function checkBranchName(
  name: string,
  { branches, tags }: Readonly<Record<'branches' | 'tags', Names>>,
): string | null {
  if (name === '') return 'Enter a branch name.'
  const refusal = refuseRefName(`refs/heads/${name}`)
  if (refusal !== null) return `Invalid branch name "${name}": ${refusal}.`
  if (branches.some((branch) => branch.name === name)) return `A branch "${name}" already exists.`
  if (tags.some((tag) => tag.name === name))
    return `A tag "${name}" already exists, and both would have the same address.`
  const other = branches.find((branch) => branch.name.startsWith(`${name}/`) || name.startsWith(`${branch.name}/`))
  if (other === undefined) return null
  return `"${name}" conflicts with the branch "${other.name}": a branch and a folder of branches cannot have the same name.`
}
