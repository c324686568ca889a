import type ts from 'typescript-gate'
import { type Edit, type Operator, type OperatorContext, replace, textOf } from './operator.ts'

/** A method and the one it is mistaken for; on `Math`, `Number`, `Object` and `Promise` with that name before it. */
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
/** Calls that a chain may lose; what no longer compiles without them is left out later. */
const REMOVABLE = new Set(
  [
    ['filter', 'sort', 'toSorted', 'reverse', 'toReversed', 'slice', 'concat', 'flat', 'map'],
    ['trim', 'trimStart', 'trimEnd', 'toLowerCase', 'toUpperCase', 'normalize', 'replace'],
    ['replaceAll', 'padStart', 'padEnd', 'finally', 'catch'],
  ].flat(),
)

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

/** `slice(a, b)` becomes `slice(a)`; its start is a number or a text of its own. */
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

/** The order of their arguments changes nothing. */
const COMMUTATIVE = new Set(['Math.max', 'Math.min', 'Object.is'])

/** Neighbours trade places. */
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
