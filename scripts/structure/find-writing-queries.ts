import ts from 'typescript'

import type { Source } from './read-sources.ts'

/** Calls that change the database or the disk. */
const writes = new Set(
  'insertInto updateTable deleteFrom replaceInto writeFile appendFile copyFile mkdir rename rm rmdir symlink unlink'.split(
    ' ',
  ),
)

/** Functions called `find…` or `list…` that write, which these names do not suggest. */
export function findWritingQueries(sources: readonly Source[]): string[] {
  return sources.filter(({ text }) => /\b(?:find|list)[A-Z]/.test(text)).flatMap(inSource)
}

function inSource({ path, text }: Source): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const name = nameOf(node)
    if (name !== null && /^(?:find|list)[A-Z]/.test(name) && hasWrite(node)) found.push(`${path}: ${name}`)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** A method of an object that the function returns is called later, by other code. */
function hasWrite(node: ts.Node): boolean {
  if (ts.isCallExpression(node)) {
    const called = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression
    if (ts.isIdentifier(called) && writes.has(called.text)) return true
  }
  return ts.forEachChild(node, (child) => (nameOf(child) === null && hasWrite(child)) || undefined) ?? false
}

/** The name of a function that has one. */
function nameOf(node: ts.Node): string | null {
  const isNamed = ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)
  const value = isNamed ? node.initializer : node
  const isFunction =
    value !== undefined &&
    (ts.isArrowFunction(value) ||
      ts.isFunctionExpression(value) ||
      ts.isFunctionDeclaration(value) ||
      ts.isMethodDeclaration(value))
  const name = isNamed || ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) ? node.name : undefined
  return isFunction && name !== undefined && ts.isIdentifier(name) ? name.text : null
}
