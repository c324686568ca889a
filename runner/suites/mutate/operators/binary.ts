import type ts from 'typescript-gate'
import { type Edit, type Operator, type OperatorContext, replace, textOf } from './operator.ts'

const ARITHMETIC: Record<string, string> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '**': '*',
  '<<': '>>',
  '>>': '<<',
  '>>>': '>>',
  '&': '|',
  '|': '&',
  '^': '&',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
  '%=': '*=',
}
const BOUNDARY: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }
const NEGATED: Record<string, string> = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
}
const LOGICAL: Record<string, string> = { '&&': '||', '||': '&&', '&&=': '||=', '||=': '&&=' }

/** Operators between two operands. */
export const BINARY_OPERATORS: readonly Operator[] = [
  swapToken('arithmetic', ARITHMETIC),
  swapToken('comparison-boundary', BOUNDARY),
  swapToken('comparison-negated', NEGATED),
  swapToken('logical', LOGICAL),
  { name: 'nullish', mutate: mutateNullish },
  { name: 'optional-chain', mutate: mutateOptionalChain },
]

function swapToken(name: string, tokens: Record<string, string>): Operator {
  return {
    name,
    mutate(node, context) {
      if (!context.typescript.isBinaryExpression(node)) return []
      const swapped = tokens[textOf(node.operatorToken, context)]
      return swapped === undefined ? [] : [replace(node.operatorToken, swapped, context)]
    },
  }
}

/** `a ?? b` also replaces what is merely falsy, or always; `a ??= b` always assigns. */
function mutateNullish(node: ts.Node, context: OperatorContext): Edit[] {
  if (!context.typescript.isBinaryExpression(node)) return []
  const token = textOf(node.operatorToken, context)
  if (token === '??=')
    return ['=', '||='].map((other) => replace(node.operatorToken, other, context))
  if (token !== '??') return []
  return [
    replace(node, `((${textOf(node.left, context)}) || (${textOf(node.right, context)}))`, context),
    replace(node, `(${textOf(node.right, context)})`, context),
  ]
}

/** `a?.b` throws where it gave undefined. */
function mutateOptionalChain(node: ts.Node, context: OperatorContext): Edit[] {
  const { typescript } = context
  const canChain =
    typescript.isPropertyAccessExpression(node) ||
    typescript.isElementAccessExpression(node) ||
    typescript.isCallExpression(node)
  if (!canChain || !node.questionDotToken) return []
  const plain = typescript.isPropertyAccessExpression(node) ? '!.' : '!'
  return [replace(node.questionDotToken, plain, context)]
}
