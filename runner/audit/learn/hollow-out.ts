import type ts from 'typescript-gate'
import type { SourceText } from '../../suites/task-folder.ts'

type TypeScript = typeof ts

/**
 * A solution with its types and without its work: every exported function and every method of a class asks
 * `__answer(name, arguments)`; what they were made of is emptied. Errors stay, since tests look at their class.
 */
export function hollowOut(typescript: TypeScript, file: SourceText): SourceText {
  const source = typescript.createSourceFile(
    file.path,
    file.text,
    typescript.ScriptTarget.Latest,
    true,
  )
  const edits: { from: number; to: number; text: string }[] = []
  const visit = (node: ts.Node): void => {
    if (isErrorClass(typescript, node)) return
    const body = bodyOf(typescript, node)
    if (body === null) node.forEachChild(visit)
    else
      edits.push({
        from: body.getStart(source),
        to: body.getEnd(),
        text: replacement(typescript, node, body),
      })
  }
  visit(source)
  edits.sort((a, b) => b.from - a.from)
  let { text } = file
  for (const { from, to, text: hollow } of edits)
    text = text.slice(0, from) + hollow + text.slice(to)
  return { path: file.path, text }
}

function bodyOf(typescript: TypeScript, node: ts.Node): ts.Node | null {
  const has =
    typescript.isFunctionDeclaration(node) ||
    typescript.isFunctionExpression(node) ||
    typescript.isArrowFunction(node) ||
    typescript.isMethodDeclaration(node) ||
    typescript.isAccessor(node) ||
    typescript.isConstructorDeclaration(node)
  return has ? (node.body ?? null) : null
}

function replacement(typescript: TypeScript, node: ts.Node, body: ts.Node): string {
  if (typescript.isConstructorDeclaration(node)) return `{ __answer('${classOf(node)}.new', []) }`
  const name = nameOf(typescript, node)
  const isArrow = typescript.isArrowFunction(node)
  const given = isArrow
    ? `[${node.parameters.map((one) => (typescript.isIdentifier(one.name) ? one.name.text : 'null')).join(', ')}]`
    : '[...arguments]'
  const self = isArrow ? 'undefined' : 'this'
  const ask = `__answer(${JSON.stringify(name)}, ${given}, ${self})`
  return typescript.isBlock(body) ? `{ return ${ask} as never }` : `(${ask} as never)`
}

function nameOf(typescript: TypeScript, node: ts.Node): string {
  const own = (node as { name?: ts.Node }).name?.getText() ?? ''
  if (typescript.isGetAccessor(node)) return `${classOf(node)}.get ${own}`
  if (typescript.isMethodDeclaration(node) || typescript.isSetAccessor(node))
    return `${classOf(node)}.${own}`
  const { parent } = node
  return typescript.isVariableDeclaration(parent) ? parent.name.getText() : own
}

function classOf(node: ts.Node): string {
  return (node.parent as { name?: ts.Node }).name?.getText() ?? ''
}

function isErrorClass(typescript: TypeScript, node: ts.Node): boolean {
  if (!typescript.isClassDeclaration(node)) return false
  return node.heritageClauses?.some((clause) => /\w*Error\b/.test(clause.getText())) ?? false
}
