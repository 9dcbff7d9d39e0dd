import { refuseRefName } from './ref-names.ts'

/** Checks the name of a new branch. Returns the reason of a refusal, or null if it is valid and unused. */
export function checkBranchName(name: string, branches: readonly { readonly name: string }[]): string | null {
  if (name === '') return 'Enter a branch name.'
  const refusal = refuseRefName(`refs/heads/${name}`)
  if (refusal !== null) return `Invalid branch name "${name}": ${refusal}.`
  if (branches.some((branch) => branch.name === name)) return `A branch "${name}" already exists.`
  const other = branches.find((branch) => branch.name.startsWith(`${name}/`) || name.startsWith(`${branch.name}/`))
  if (other === undefined) return null
  return `"${name}" conflicts with the branch "${other.name}": a branch and a folder of branches cannot have the same name.`
}
