import type ts from 'typescript-gate'
import { type Edit, type Operator, type OperatorContext, replace, textOf } from './operator.ts'

/** Literal numbers, texts, booleans and lists. */
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

/** Returns true for a module's path, a directive, the name of a property, the argument of a tag. */
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
 * Returns true for the sentence of an error, with everything computed for it: no contract depends on it. A text without
 * a space may be a code.
 */
export function isProse(node: ts.Node, context: OperatorContext): boolean {
  const { typescript } = context
  const { parent } = node
  if (!parent || !typescript.isNewExpression(parent)) return false
  const message = typescript.isTemplateExpression(node)
    ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('')
    : typescript.isStringLiteralLike(node)
      ? node.text
      : ''
  return message.includes(' ') && /(?:Error|Exception)$/.test(textOf(parent.expression, context))
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

const TOKEN = /\\.|\[\^?|\]|\(\?<?[=!]|\(\?|\{\d+(?:,\d*)?\}|./gsu

const SHORTHANDS: Record<string, string> = {
  '\\d': '\\D',
  '\\D': '\\d',
  '\\w': '\\W',
  '\\W': '\\w',
  '\\s': '\\S',
  '\\S': '\\s',
}

/** Replacements of a token outside a class; tokens that are not listed stay. */
const OUTSIDE: Record<string, string> = {
  '^': '',
  $: '',
  '+': '*',
  '*': '+',
  '?': '',
  '\\b': '',
  '\\B': '',
  '(?=': '(?!',
  '(?!': '(?=',
  '(?<=': '(?<!',
  '(?<!': '(?<=',
  '[': '[^',
  '[^': '[',
}

/** Regular expressions: each flag, quantifier, anchor, class and group. */
export const REGEX_OPERATORS: readonly Operator[] = [{ name: 'regex', mutate: mutateRegex }]

function mutateRegex(node: ts.Node, context: OperatorContext): Edit[] {
  if (!context.typescript.isRegularExpressionLiteral(node)) return []
  const text = textOf(node, context)
  const end = text.lastIndexOf('/')
  const [body, flags] = [text.slice(1, end), text.slice(end + 1)]
  const fewerFlags = [...flags].map((flag) => [body, flags.replace(flag, '')] as const)
  const others = changeBody(body).map((other) => [other, flags] as const)
  return [...others, ...fewerFlags]
    .filter(([source, flags]) => isRegex(source, flags))
    .map(([source, flags]) => replace(node, `/${source}/${flags}`, context))
}

function isRegex(body: string, flags: string): boolean {
  if (body === '') return false
  try {
    new RegExp(body, flags)
    return true
  } catch {
    return false
  }
}

/** Returns every body that differs from this one in one token. */
function changeBody(body: string): string[] {
  let isInClass = false
  return [...body.matchAll(TOKEN)].flatMap(({ 0: token, index }) => {
    const changed = SHORTHANDS[token] ?? (isInClass ? undefined : changeOutside(token))
    isInClass = isInClass ? token !== ']' : token.startsWith('[')
    return changed === undefined
      ? []
      : [body.slice(0, index) + changed + body.slice(index + token.length)]
  })
}

/** Drops a repetition of a fixed number, as in `{2}`. */
function changeOutside(token: string): string | undefined {
  return /^\{\d/.test(token) ? '' : OUTSIDE[token]
}
