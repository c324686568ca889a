/** Variables by name that a compose file can use. */
export type ComposeVariables = Readonly<Record<string, string>>

const NAME = /[A-Za-z_]\w*/y

const MAX_DEPTH = 20

/**
 * Replaces the variables in all texts of a parsed compose file. Only the given ones exist: nothing is read from this machine.
 * Throws an Error for one that is not given and has no default.
 */
export function interpolate(value: unknown, variables: ComposeVariables, depth = 0): unknown {
  // Aliases of YAML can contain themselves.
  if (depth > MAX_DEPTH) throw new Error('it is nested too deeply')
  const inside = (one: unknown) => interpolate(one, variables, depth + 1)
  if (typeof value === 'string') return interpolateText(value, variables)
  if (Array.isArray(value)) return value.map(inside)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inside(one)]))
}

function interpolateText(text: string, variables: ComposeVariables): string {
  let result = ''
  let at = 0
  for (;;) {
    const dollar = text.indexOf('$', at)
    if (dollar < 0) return result + text.slice(at)
    result += text.slice(at, dollar)
    const found = readReference(text, dollar)
    result += found.name === null ? '$' : expand(found.name, found.rest, variables)
    at = found.end
  }
}

/** A reference in a text; `name` null = `$$`, `rest` = what follows the name in braces. */
type Reference = { name: string | null; rest: string; end: number }

function readReference(text: string, dollar: number): Reference {
  if (text[dollar + 1] === '$') return { name: null, rest: '', end: dollar + 2 }
  const isBraced = text[dollar + 1] === '{'
  NAME.lastIndex = dollar + (isBraced ? 2 : 1)
  const name = NAME.exec(text)?.[0]
  if (name === undefined)
    throw new Error(`has "${text.slice(dollar, dollar + 20)}", which names no variable: write $$`)
  const after = NAME.lastIndex
  if (!isBraced) return { name, rest: '', end: after }
  const end = findClosing(text, after)
  return { name, rest: text.slice(after, end), end: end + 1 }
}

/** Defaults can contain references with braces of their own. */
function findClosing(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{' && text[at - 1] === '$') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  throw new Error(`has "\${${text.slice(from, from + 20)}" without its closing brace`)
}

function expand(name: string, rest: string, variables: ComposeVariables): string {
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined
  const [, operator = '', word = ''] = /^(:?[-+?])?([\s\S]*)$/.exec(rest) ?? []
  if (operator === '' && rest !== '') throw new Error(`has \${${name}${rest}}, which is not known`)
  const isSet = value !== undefined && !(operator.startsWith(':') && value === '')
  if (operator.endsWith('+')) return isSet ? interpolateText(word, variables) : ''
  if (isSet) return value
  if (operator.endsWith('-')) return interpolateText(word, variables)
  throw new Error(
    `reads the variable ${name} of this machine: list it under [environment.env] of task.toml, or give it a default`,
  )
}
