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

// Replaces `||` by `??`: `count ?? null` keeps a 0 that `||` loses.
const FALSY = ['0', '0n', "''", '""', '``', 'false']

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
 * `a ?? b` also replaces falsy values, or always; `a ??= b` always assigns. For an object, or with a falsy value of its
 * own type, `||` equals `??` and would not be a mistake.
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

function isObjectOrFalsy(node: ts.Node, context: OperatorContext): boolean {
  const { typescript } = context
  return (
    typescript.isArrayLiteralExpression(node) ||
    typescript.isObjectLiteralExpression(node) ||
    typescript.isNewExpression(node) ||
    FALSY.includes(textOf(node, context))
  )
}

/** `a?.b` throws where it returned undefined. */
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

const COPIERS = new Set(['Map', 'Set', 'Date'])

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

/** Skips the step of a `for` loop: reversed, the loop would not terminate. */
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

/** Finds the element that a literal copies if it consists of a single spread. */
function findSpread(parts: readonly ts.Node[], typescript: typeof ts): ts.Expression | null {
  const [only, ...others] = parts
  if (!only || others.length > 0) return null
  const isSpread = typescript.isSpreadElement(only) || typescript.isSpreadAssignment(only)
  return isSpread ? only.expression : null
}

/** Pairs of methods that are often confused; on `Math`, `Number`, `Object` and `Promise` with that name as prefix. */
const MISTAKEN: Record<string, string> = {
  some: 'every',
  every: 'some',
  find: 'findLast',
  findLast: 'find',
  findIndex: 'findLastIndex',
  findLastIndex: 'findIndex',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  push: 'unshift',
  unshift: 'push',
  pop: 'shift',
  shift: 'pop',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  trimStart: 'trimEnd',
  trimEnd: 'trimStart',
  replaceAll: 'replace',
  codePointAt: 'charCodeAt',
  keys: 'values',
  values: 'keys',
  'Math.min': 'Math.max',
  'Math.max': 'Math.min',
  'Math.floor': 'Math.ceil',
  'Math.ceil': 'Math.floor',
  'Math.round': 'Math.floor',
  'Math.trunc': 'Math.floor',
  'Number.isSafeInteger': 'Number.isInteger',
  'Number.isInteger': 'Number.isFinite',
  'Object.hasOwn': 'Reflect.has',
  'Promise.all': 'Promise.race',
}
/** Calls that can be removed from a chain; mutants that then fail to compile are dropped later. */
const REMOVABLE = new Set(
  [
    ['filter', 'sort', 'toSorted', 'reverse', 'toReversed', 'slice', 'concat', 'flat', 'map'],
    ['trim', 'trimStart', 'trimEnd', 'toLowerCase', 'toUpperCase', 'normalize', 'replace'],
    ['replaceAll', 'padStart', 'padEnd', 'finally', 'catch'],
  ].flat(),
)

/** Functions with commutative arguments. */
const COMMUTATIVE = new Set(['Math.max', 'Math.min', 'Object.is'])

/** Calls and their arguments. */
export const CALL_OPERATORS: readonly Operator[] = [
  { name: 'method-mistaken', mutate: mistakeMethod },
  { name: 'call-removed', mutate: removeCall },
  { name: 'slice-bound', mutate: dropSliceBound },
  { name: 'arguments-swapped', mutate: swapArguments },
]

function mistakeMethod(node: ts.Node, context: OperatorContext): Edit[] {
  const { typescript } = context
  if (!typescript.isCallExpression(node)) return []
  const { expression } = node
  if (!typescript.isPropertyAccessExpression(expression)) return []
  const whole = MISTAKEN[textOf(expression, context)]
  if (whole !== undefined) return [replace(expression, whole, context)]
  const method = MISTAKEN[expression.name.text]
  return method === undefined ? [] : [replace(expression.name, method, context)]
}

function removeCall(node: ts.Node, context: OperatorContext): Edit[] {
  const { typescript } = context
  if (!typescript.isCallExpression(node)) return []
  const { expression } = node
  if (!typescript.isPropertyAccessExpression(expression)) return []
  if (typescript.isExpressionStatement(node.parent) || !REMOVABLE.has(expression.name.text))
    return []
  return [replace(node, textOf(expression.expression, context), context)]
}

/** `slice(a, b)` becomes `slice(a)`; its start is a number or a string literal. */
function dropSliceBound(node: ts.Node, context: OperatorContext): Edit[] {
  const { typescript } = context
  if (!typescript.isCallExpression(node) || node.arguments.length !== 2) return []
  const { expression } = node
  if (!typescript.isPropertyAccessExpression(expression)) return []
  if (!['slice', 'substring', 'subarray'].includes(expression.name.text)) return []
  const [first, second] = node.arguments
  if (!first || !second) return []
  return [
    { start: first.getEnd(), end: second.getEnd(), text: '' },
    replace(first, '0', context),
  ].filter(({ start, end, text }) => context.source.text.slice(start, end) !== text)
}

/** Swaps adjacent arguments. */
function swapArguments(node: ts.Node, context: OperatorContext): Edit[] {
  const { typescript } = context
  if (!typescript.isCallExpression(node) && !typescript.isNewExpression(node)) return []
  const list = COMMUTATIVE.has(textOf(node.expression, context)) ? [] : (node.arguments ?? [])
  return list.slice(1).flatMap((right, index) => {
    const left = list[index]
    if (!left || typescript.isSpreadElement(left) || typescript.isSpreadElement(right)) return []
    const [a, b] = [textOf(left, context), textOf(right, context)]
    if (a === b) return []
    return [{ start: left.getStart(context.source), end: right.getEnd(), text: `${b}, ${a}` }]
  })
}
