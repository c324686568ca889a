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

/**
 * `a ?? b` also replaces what is merely falsy, or always; `a ??= b` always assigns. Beside an object or a falsy value
 * of its own type `||` says the same as `??`, and would be no mistake.
 */
function mutateNullish(node: ts.Node, context: OperatorContext): Edit[] {
  if (!context.typescript.isBinaryExpression(node)) return []
  const { left, operatorToken, right } = node
  const token = textOf(operatorToken, context)
  const isSame = isObjectOrFalsy(right, context)
  if (token === '??=')
    return (isSame ? ['='] : ['=', '||=']).map((other) => replace(operatorToken, other, context))
  if (token !== '??') return []
  const always = replace(node, `(${textOf(right, context)})`, context)
  if (isSame) return [always]
  const falsy = `((${textOf(left, context)}) || (${textOf(right, context)}))`
  return [replace(node, falsy, context), always]
}

// Not null or undefined: `count ?? null` keeps a 0 that `||` loses.
const FALSY = ['0', '0n', "''", '""', '``', 'false']

function isObjectOrFalsy(node: ts.Node, context: OperatorContext): boolean {
  const { typescript } = context
  return (
    typescript.isArrayLiteralExpression(node) ||
    typescript.isObjectLiteralExpression(node) ||
    typescript.isNewExpression(node) ||
    FALSY.includes(textOf(node, context))
  )
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
