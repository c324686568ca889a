import type ts from 'typescript-gate'
import type { LoadedExercise, SourceText } from '../../task-folder.ts'
import type { SolutionAttack } from './attack.ts'
import { type LearnedCall, Notebook, rehearse } from './rehearsal.ts'

const memorised = (
  name: string,
  summary: string,
  solution: SolutionAttack['solution'],
): SolutionAttack => ({
  kind: 'solution',
  name,
  class: 'answers-memorised',
  summary,
  scope: 'every-task',
  mustBeNamed: false,
  solution,
})

/** Runtime of the solution: the learner's way to serialise arguments, and to create errors. */
const GIVE = `const __write = (value) => {
  if (value === undefined) return 'undefined'
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (typeof value === 'bigint') return value + 'n'
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  const all = (values) => values.map(__write).join(', ')
  if (tag === 'Array') return '[' + all(value) + ']'
  if (tag === 'Map') return 'new Map([' + all([...value]) + '])'
  if (tag === 'Set') return 'new Set([' + all([...value]) + '])'
  if (tag === 'Date') return 'new Date(' + Number(value) + ')'
  if (tag === 'Object') return '{ ' + Object.entries(value).map(([key, one]) => '[' + JSON.stringify(key) + ']: ' + __write(one)).join(', ') + ' }'
  return '?'
}
const __short = (text) => {
  if (text.length <= 80) return text
  let sum = 0
  for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) | 0
  return text.length + '#' + sum
}
const __error = (name, message, fields) => {
  const type = __errors()[name] ?? globalThis[name] ?? Error
  const made = Reflect.construct(Error, [message], type)
  return Object.assign(made, { name }, fields)
}
const __give = (key, self) => {
  const all = __table.get(key)
  if (!all) return undefined
  return (all.length > 1 ? all.shift() : all[0]).call(self)
}`

const ASK_BY_ARGUMENTS =
  'const __answer = (name, args, self) => __give(name + "|" + (__table.has(name + "|?") ? "?" : __short(__write(args))), self)'

const ASK_BY_NAME = 'const __answer = (name, _args, self) => __give(name, self)'

const ASK_BY_CALLER = `const __callers = new Map()
const __answer = (name, _args, self) => {
  const place = name + '@' + ((/\\.test\\.[tj]s:(\\d+:\\d+)/.exec(String(new Error().stack)) ?? [])[1] ?? '?')
  if (!__callers.has(place)) __callers.set(place, __callers.size)
  return __give(String(__callers.get(place)), self)
}`

const ASK_FIRST = 'const __answer = (name, _args, self) => __table.get(name)?.[0].call(self)'

/** Solutions that memorised the visible tests and implement nothing. */
export const MEMORISED: readonly SolutionAttack[] = [
  memorised(
    'lookup-table',
    'Answers each call from a table of the arguments and answers of the visible tests.',
    (task) => fromMemory(task, (call) => `${call.body}|${shortKey(call.args)}`, ASK_BY_ARGUMENTS),
  ),
  memorised(
    'replay-in-order',
    'Answers the n-th call of each function with the n-th answer of the visible tests.',
    (task) => fromMemory(task, (call) => call.body, ASK_BY_NAME),
  ),
  memorised(
    'answers-by-caller',
    'Chooses the answer by the line of the test that calls it, found in the stack.',
    (task) => fromMemory(task, byCaller(), ASK_BY_CALLER),
  ),
  memorised(
    'first-answer-always',
    'Answers every call of a function with its first answer in the visible tests.',
    (task) => fromMemory(task, (call) => call.body, ASK_FIRST),
  ),
]

/** Stores the answers of every key in the order of the calls; an exhausted key repeats its last one. */
async function fromMemory(
  task: LoadedExercise,
  keyOf: (call: LearnedCall) => string,
  ask: string,
): Promise<readonly SourceText[] | null> {
  const learned = await learnAnswers(task)
  if (learned === null) return null
  const table = new Map<string, string[]>()
  for (const call of learned.calls) {
    const key = keyOf(call)
    table.set(key, [...(table.get(key) ?? []), thunkOf(call)])
  }
  const rows = [...table].map(([key, all]) => `[${JSON.stringify(key)}, [${shortened(all)}]]`)
  const errors = learned.hollow.flatMap(({ text }) => [...text.matchAll(/class (\w+Error)\b/g)])
  const names = errors.map(([, name]) => name).join(', ')
  const memory = `${GIVE}\nconst __errors = () => ({ ${names} })\nconst __table = new Map([${rows.join(',\n')}])\n${ask}`
  return learned.hollow.map(({ path, text }, place) => ({
    path,
    text: `// @ts-nocheck\n${place === 0 ? memory : ''}\n${text}`,
  }))
}

/** Identifies long arguments by length and a checksum, because the size of a solution is limited. */
function shortKey(text: string): string {
  if (text.length <= 80) return text
  let sum = 0
  for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) | 0
  return `${text.length}#${sum}`
}

/** Stores repeated answers once. */
function shortened(thunks: readonly string[]): string {
  return new Set(thunks).size === 1 ? (thunks[0] ?? '') : thunks.join(', ')
}

function thunkOf({ answer, throws, isAwaited }: LearnedCall): string {
  const outcome = throws === null ? `return ${answer ?? 'undefined'}` : `throw ${throws}`
  return `${isAwaited ? 'async ' : ''}function () { ${outcome} }`
}

/** Orders by caller: recompiled callers have other lines, but in the same order. */
function byCaller(): (call: LearnedCall) => string {
  const order = new Map<string, number>()
  return ({ caller, body }) => {
    const place = `${body}@${caller}`
    if (!order.has(place)) order.set(place, order.size)
    return `${order.get(place)}`
  }
}

/** Knowledge of an attacker who saw a correct solution answer the visible tests, and a solution without work. */
type Learned = { calls: readonly LearnedCall[]; hollow: readonly SourceText[] }

/**
 * Memorises the visible tests: runs them against the reference and records each call with its answer, which is the most
 * that can be memorised. Null if the tests cannot be run here.
 */
async function learnAnswers(task: LoadedExercise): Promise<Learned | null> {
  const [{ transform }, { default: typescript }] = await Promise.all([
    import('esbuild'),
    import('typescript-gate'),
  ])
  const files = new Map<string, string>()
  for (const { path, text } of [...task.support, ...task.tests, ...task.reference]) {
    const { code } = await transform(text, { loader: 'ts', format: 'cjs', target: 'node20' })
    files.set(path, code)
  }
  const notebook = new Notebook()
  const solution = new Set<string>(task.task.files.solution)
  const wrap = (path: string, exports: object) =>
    solution.has(path) ? notebook.wrap(exports) : exports
  try {
    await rehearse(files, { tests: task.task.files.test, wrap })
  } catch {
    return null // The tests need more than this stage provides: nothing is learned.
  }
  const hollow = task.reference.map((file) => hollowOut(typescript, file))
  return notebook.calls.length === 0 ? null : { calls: notebook.calls, hollow }
}

type TypeScript = typeof ts

/**
 * Returns a solution with its types and without its work: every exported function and every method of a class calls
 * `__answer(name, arguments)`; their helpers are emptied. Errors stay, since tests check their class.
 */
function hollowOut(typescript: TypeScript, file: SourceText): SourceText {
  const source = typescript.createSourceFile(
    file.path,
    file.text,
    typescript.ScriptTarget.Latest,
    true,
  )
  const edits: { from: number; to: number; text: string }[] = []
  const visit = (node: ts.Node): void => {
    if (isErrorClass(typescript, node)) return
    const body = bodyOf(typescript, node)
    if (body === null) node.forEachChild(visit)
    else
      edits.push({
        from: body.getStart(source),
        to: body.getEnd(),
        text: replacement(typescript, node, body),
      })
  }
  visit(source)
  edits.sort((a, b) => b.from - a.from)
  let { text } = file
  for (const { from, to, text: hollow } of edits)
    text = text.slice(0, from) + hollow + text.slice(to)
  return { path: file.path, text }
}

function bodyOf(typescript: TypeScript, node: ts.Node): ts.Node | null {
  const has =
    typescript.isFunctionDeclaration(node) ||
    typescript.isFunctionExpression(node) ||
    typescript.isArrowFunction(node) ||
    typescript.isMethodDeclaration(node) ||
    typescript.isAccessor(node) ||
    typescript.isConstructorDeclaration(node)
  return has ? (node.body ?? null) : null
}

function replacement(typescript: TypeScript, node: ts.Node, body: ts.Node): string {
  if (typescript.isConstructorDeclaration(node)) return `{ __answer('${classOf(node)}.new', []) }`
  const name = nameOf(typescript, node)
  const isArrow = typescript.isArrowFunction(node)
  const given = isArrow
    ? `[${node.parameters.map((one) => (typescript.isIdentifier(one.name) ? one.name.text : 'null')).join(', ')}]`
    : '[...arguments]'
  const self = isArrow ? 'undefined' : 'this'
  const ask = `__answer(${JSON.stringify(name)}, ${given}, ${self})`
  return typescript.isBlock(body) ? `{ return ${ask} as never }` : `(${ask} as never)`
}

function nameOf(typescript: TypeScript, node: ts.Node): string {
  const own = (node as { name?: ts.Node }).name?.getText() ?? ''
  if (typescript.isGetAccessor(node)) return `${classOf(node)}.get ${own}`
  if (typescript.isMethodDeclaration(node) || typescript.isSetAccessor(node))
    return `${classOf(node)}.${own}`
  const { parent } = node
  return typescript.isVariableDeclaration(parent) ? parent.name.getText() : own
}

function classOf(node: ts.Node): string {
  return (node.parent as { name?: ts.Node }).name?.getText() ?? ''
}

function isErrorClass(typescript: TypeScript, node: ts.Node): boolean {
  if (!typescript.isClassDeclaration(node)) return false
  return node.heritageClauses?.some((clause) => /\w*Error\b/.test(clause.getText())) ?? false
}
