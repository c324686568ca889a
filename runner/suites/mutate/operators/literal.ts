import type ts from 'typescript-gate'
import { type Edit, type Operator, type OperatorContext, replace, textOf } from './operator.ts'

/** Numbers, texts, booleans and lists that are written out. */
export const LITERAL_OPERATORS: readonly Operator[] = [
  { name: 'number', mutate: changeNumber },
  { name: 'text', mutate: changeText },
  { name: 'boolean', mutate: turnBoolean },
  { name: 'array-emptied', mutate: emptyArray },
]

function changeNumber(node: ts.Node, context: OperatorContext): Edit[] {
  const { typescript } = context
  if (typescript.isNumericLiteral(node)) {
    const value = Number(node.text)
    return [value + 1, value - 1].map((other) => replace(node, inParentheses(other), context))
  }
  if (!typescript.isBigIntLiteral(node)) return []
  const value = BigInt(node.text.slice(0, -1))
  return [value + 1n, value - 1n].map((other) => replace(node, `${inParentheses(other)}`, context))
}

function inParentheses(value: number | bigint): string {
  const text = typeof value === 'bigint' ? `${value}n` : String(value)
  return value < 0 ? `(${text})` : text
}

function changeText(node: ts.Node, context: OperatorContext): Edit[] {
  const { typescript } = context
  const isText =
    typescript.isStringLiteral(node) ||
    typescript.isNoSubstitutionTemplateLiteral(node) ||
    typescript.isTemplateExpression(node)
  if (!isText || isFixed(node, typescript)) return []
  const isEmpty = typescript.isStringLiteral(node) && node.text === ''
  return [replace(node, isEmpty ? "'mutant'" : "''", context)]
}

/** A module's path, a directive, the name of a property, what a tag is given. */
function isFixed(node: ts.Node, typescript: typeof ts): boolean {
  const { parent } = node
  const isNamed =
    typescript.isPropertyAssignment(parent) || typescript.isPropertyDeclaration(parent)
  return (
    typescript.isImportDeclaration(parent) ||
    typescript.isExportDeclaration(parent) ||
    typescript.isExpressionStatement(parent) ||
    typescript.isTaggedTemplateExpression(parent) ||
    (isNamed && parent.name === node)
  )
}

/**
 * The sentence that an error says, with all that is computed for it: it is nobody's contract, so it is left alone. A
 * text without a space may be a code.
 */
export function isProse(node: ts.Node, context: OperatorContext): boolean {
  const { typescript } = context
  const { parent } = node
  if (!parent || !typescript.isNewExpression(parent)) return false
  const said = typescript.isTemplateExpression(node)
    ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('')
    : typescript.isStringLiteralLike(node)
      ? node.text
      : ''
  return said.includes(' ') && /(?:Error|Exception)$/.test(textOf(parent.expression, context))
}

function turnBoolean(node: ts.Node, context: OperatorContext): Edit[] {
  const { TrueKeyword, FalseKeyword } = context.typescript.SyntaxKind
  if (node.kind !== TrueKeyword && node.kind !== FalseKeyword) return []
  return [replace(node, node.kind === TrueKeyword ? 'false' : 'true', context)]
}

function emptyArray(node: ts.Node, context: OperatorContext): Edit[] {
  const { typescript } = context
  if (!typescript.isArrayLiteralExpression(node) || node.elements.length === 0) return []
  // `[a, b] = [b, a]`: the left side is a pattern.
  const { parent } = node
  const isPattern = typescript.isBinaryExpression(parent) && parent.left === node
  return isPattern ? [] : [replace(node, '[]', context)]
}
