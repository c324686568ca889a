import type ts from 'typescript-gate'
import { type Edit, type Operator, type OperatorContext, replace, textOf } from './operator.ts'

/** Conditions, statements, blocks and what a function returns. */
export const STATEMENT_OPERATORS: readonly Operator[] = [
  { name: 'condition-forced', mutate: forceCondition },
  { name: 'statement-removed', mutate: removeStatement },
  { name: 'block-emptied', mutate: emptyBlock },
  { name: 'return-value', mutate: changeReturn },
]

/** Skips loops: a forced condition would not terminate. */
function forceCondition(node: ts.Node, context: OperatorContext): Edit[] {
  const { typescript } = context
  const force = (condition: ts.Expression, values: readonly string[]) =>
    values
      .filter((value) => textOf(condition, context) !== value)
      .map((value) => replace(condition, value, context))
  if (typescript.isIfStatement(node)) return force(node.expression, ['true', 'false'])
  if (typescript.isConditionalExpression(node)) return force(node.condition, ['true', 'false'])
  if (typescript.isWhileStatement(node) || typescript.isDoStatement(node))
    return force(node.expression, ['false'])
  if (typescript.isForStatement(node) && node.condition) return force(node.condition, ['false'])
  return []
}

/** Keeps declarations: without them nothing compiles. */
function removeStatement(node: ts.Node, context: OperatorContext): Edit[] {
  return isRemovable(node, context) ? [replace(node, ';', context)] : []
}

function isRemovable(node: ts.Node, { typescript }: OperatorContext): boolean {
  if (typescript.isExpressionStatement(node)) return !isSuperCall(node.expression, typescript)
  return (
    typescript.isThrowStatement(node) ||
    typescript.isContinueStatement(node) ||
    typescript.isBreakStatement(node) ||
    (typescript.isReturnStatement(node) && !node.expression)
  )
}

function isSuperCall(node: ts.Expression, typescript: typeof ts): boolean {
  return (
    typescript.isCallExpression(node) && node.expression.kind === typescript.SyntaxKind.SuperKeyword
  )
}

/** Keeps the body of a `while`, which would not terminate if emptied, and a block of one removable statement. */
function emptyBlock(node: ts.Node, context: OperatorContext): Edit[] {
  const { typescript } = context
  if (!typescript.isBlock(node) || node.statements.length === 0) return []
  if (typescript.isWhileStatement(node.parent) || typescript.isDoStatement(node.parent)) return []
  const [only, ...others] = node.statements
  if (only && others.length === 0 && isRemovable(only, context)) return []
  return [replace(node, '{}', context)]
}

/** Returns nothing; a returned condition is replaced by true or false. */
function changeReturn(node: ts.Node, context: OperatorContext): Edit[] {
  const { typescript } = context
  if (typescript.isReturnStatement(node) && node.expression) {
    const { expression } = node
    const forced = forceReturned(expression, context)
    const isNothing = ['undefined', 'null'].includes(textOf(expression, context))
    return isNothing ? forced : [...forced, replace(expression, 'undefined as never', context)]
  }
  if (typescript.isArrowFunction(node) && !typescript.isBlock(node.body))
    return forceReturned(node.body, context)
  return []
}

function forceReturned(returned: ts.Expression, context: OperatorContext): Edit[] {
  if (!isCondition(returned, context)) return []
  return ['true', 'false'].map((value) => replace(returned, value, context))
}

const ASKS =
  /(?:^|\.)(?:is|has|can|matches)[A-Z]\w*$|\.(?:has|some|every|includes|startsWith|endsWith|test|is)$/

function isCondition(node: ts.Expression, context: OperatorContext): boolean {
  const { typescript } = context
  if (typescript.isPrefixUnaryExpression(node))
    return node.operator === typescript.SyntaxKind.ExclamationToken
  if (typescript.isCallExpression(node)) return ASKS.test(textOf(node.expression, context))
  if (!typescript.isBinaryExpression(node)) return false
  return /^(?:[<>]=?|[!=]==?|&&|\|\||in|instanceof)$/.test(textOf(node.operatorToken, context))
}
