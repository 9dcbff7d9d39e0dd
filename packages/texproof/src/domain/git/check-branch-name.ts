import { refuseRefName } from './ref-names.ts'

/** Checks the name of a new branch. Returns the reason of a refusal, or null if it is valid and unused. */
export function checkBranchName(name: string, branches: readonly { readonly name: string }[]): string | null {
  if (name === '') return 'Give the branch a name.'
  const refusal = refuseRefName(`refs/heads/${name}`)
  if (refusal !== null) return `A branch cannot be called "${name}": ${refusal}.`
  if (branches.some((branch) => branch.name === name)) return `A branch "${name}" already exists.`
  const other = branches.find((branch) => branch.name.startsWith(`${name}/`) || name.startsWith(`${branch.name}/`))
  if (other === undefined) return null
  return `"${name}" cannot be a branch while there is "${other.name}": a name is a branch or a folder of branches.`
}
