import type ts from 'typescript-gate'
import { type Edit, type Operator, type OperatorContext, replace, textOf } from './operator.ts'

/** Operators before or after one operand, and `await`. */
export const UNARY_OPERATORS: readonly Operator[] = [
  { name: 'sign-removed', mutate: removeSign },
  { name: 'increment', mutate: turnIncrement },
  { name: 'await-removed', mutate: removeAwait },
  { name: 'copy-removed', mutate: removeCopy },
]

function removeSign(node: ts.Node, context: OperatorContext): Edit[] {
  const { SyntaxKind, isPrefixUnaryExpression } = context.typescript
  if (!isPrefixUnaryExpression(node)) return []
  const { MinusToken, ExclamationToken, TildeToken } = SyntaxKind
  const isSign = [MinusToken, ExclamationToken, TildeToken].some((kind) => kind === node.operator)
  return isSign ? [replace(node, textOf(node.operand, context), context)] : []
}

/** The step of a `for` loop stays: turned around, the loop would only never end. */
function turnIncrement(node: ts.Node, context: OperatorContext): Edit[] {
  const { typescript } = context
  const isPrefix = typescript.isPrefixUnaryExpression(node)
  if (!isPrefix && !typescript.isPostfixUnaryExpression(node)) return []
  const { PlusPlusToken, MinusMinusToken } = typescript.SyntaxKind
  if (node.operator !== PlusPlusToken && node.operator !== MinusMinusToken) return []
  if (typescript.isForStatement(node.parent) && node.parent.incrementor === node) return []
  const operand = textOf(node.operand, context)
  const turned = node.operator === PlusPlusToken ? '--' : '++'
  return [replace(node, isPrefix ? turned + operand : operand + turned, context)]
}

function removeAwait(node: ts.Node, context: OperatorContext): Edit[] {
  if (!context.typescript.isAwaitExpression(node)) return []
  return [replace(node, textOf(node.expression, context), context)]
}

const COPIERS = new Set(['Map', 'Set', 'Date'])

/** `[...a]`, `{ ...a }`, `new Map(a)` and `structuredClone(a)` become `a` itself. */
function removeCopy(node: ts.Node, context: OperatorContext): Edit[] {
  const copied = findCopied(node, context)
  return copied ? [replace(node, `(${textOf(copied, context)})`, context)] : []
}

function findCopied(node: ts.Node, context: OperatorContext): ts.Expression | null {
  const { typescript } = context
  if (typescript.isArrayLiteralExpression(node)) return findSpread(node.elements, typescript)
  if (typescript.isObjectLiteralExpression(node)) return findSpread(node.properties, typescript)
  const isNew = typescript.isNewExpression(node)
  if (!isNew && !typescript.isCallExpression(node)) return null
  const name = textOf(node.expression, context)
  const [copied, ...others] = node.arguments ?? []
  const copies = isNew ? COPIERS.has(name) : name === 'structuredClone'
  return copied && copies && others.length === 0 ? copied : null
}

/** What a literal copies when it holds nothing but one spread. */
function findSpread(parts: readonly ts.Node[], typescript: typeof ts): ts.Expression | null {
  const [only, ...others] = parts
  if (!only || others.length > 0) return null
  const isSpread = typescript.isSpreadElement(only) || typescript.isSpreadAssignment(only)
  return isSpread ? only.expression : null
}
