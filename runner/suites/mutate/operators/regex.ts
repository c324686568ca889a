import type ts from 'typescript-gate'
import { type Edit, type Operator, type OperatorContext, replace, textOf } from './operator.ts'

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
    .filter(([source, kept]) => isRegex(source, kept))
    .map(([source, kept]) => replace(node, `/${source}/${kept}`, context))
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

const TOKEN = /\\.|\[\^?|\]|\(\?<?[=!]|\(\?|\{\d+(?:,\d*)?\}|./gsu

/** What a token becomes outside of a class; a token that is not listed stays. */
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
const SHORTHANDS: Record<string, string> = {
  '\\d': '\\D',
  '\\D': '\\d',
  '\\w': '\\W',
  '\\W': '\\w',
  '\\s': '\\S',
  '\\S': '\\s',
}

/** Every body that differs from this one in one token. */
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

/** A repetition of a fixed number, as in `{2}`, is dropped. */
function changeOutside(token: string): string | undefined {
  return /^\{\d/.test(token) ? '' : OUTSIDE[token]
}
