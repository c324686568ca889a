import type ts from 'typescript-gate'
import type { ExerciseVerifier, VerifierReport } from '../../verify/exercise/verifier-types.ts'
import { verifierInput } from '../complete-task.ts'
import type { LoadedExercise, SourceText } from '../task-folder.ts'

/** The control's solution for a task, or why it cannot be built. */
export type FirstTestOnly =
  | { kind: 'control'; files: readonly SourceText[] }
  /** It would equal the reference, so earlier cuts were judged instead. */
  | { kind: 'judged'; solved: boolean; report: VerifierReport }
  | { kind: 'not-applicable'; reason: string }
  | { kind: 'impossible'; reason: string }

/**
 * Builds the control that detects a harness which runs only the first test: the reference, cut off right after what the
 * first test needs. If no later test enters the solution, that cut is the reference: then the control is judged at
 * every earlier cut that still satisfies the first test.
 */
export async function buildFirstTestOnly(
  task: LoadedExercise,
  verifier: ExerciseVerifier,
): Promise<FirstTestOnly> {
  const { default: typescript } = await import('typescript-gate')
  const rewrite = (mode: Mode) => task.reference.map((file) => instrument(typescript, file, mode))
  const count = async (onlyFirstTest: boolean) => {
    const input = verifierInput(task, rewrite({ kind: 'count' }), null)
    const { tests } = await verifier.evaluate({ ...input, onlyFirstTest, probe: true })
    return tests.probeMax ?? 0
  }
  const entries = await count(true)
  if (entries === 0)
    return { kind: 'impossible', reason: 'the first test enters no function of the solution' }
  const control = rewrite({ kind: 'limit', entries })
  // A held-out scenario enters the solution again, so the cut always makes a difference there.
  if (task.heldOut !== null || (await count(false)) > entries)
    return { kind: 'control', files: control }
  const judged = await judgeEarlierCuts(task, verifier, { entries, rewrite })
  if (judged) return judged
  const isWhole = task.task.expectedTests.length === 1 && takesNoInput(typescript, task.reference)
  const isPinned =
    isWhole && (await refusesOtherAnswers(task, verifier, rewrite({ kind: 'change' })))
  return isPinned
    ? { kind: 'not-applicable', reason: ONE_TEST }
    : { kind: 'control', files: control }
}

/** A test of one answer has to check that answer: with every answer changed slightly, it fails. */
async function refusesOtherAnswers(
  task: LoadedExercise,
  verifier: ExerciseVerifier,
  files: readonly SourceText[],
): Promise<boolean> {
  const input = verifierInput(task, files, task.task.expectedTests)
  return (await verifier.evaluate({ ...input, checkTypes: false })).verdict === 'fail'
}

const ONE_TEST =
  'the task has one test and its solution takes no input, so to satisfy the first test is to solve it'

/** Maximum number of cuts, spread evenly. */
const MAX_CUTS = 12

/**
 * Judges the reference with its previous answer repeated from its n-th entry on, for every n: each that satisfies the
 * first test has to fail. Null = none satisfies it. A repeated answer, not an exception: work may be done before any
 * test runs.
 */
async function judgeEarlierCuts(
  task: LoadedExercise,
  verifier: ExerciseVerifier,
  { entries, rewrite }: { entries: number; rewrite: (mode: Mode) => SourceText[] },
): Promise<Extract<FirstTestOnly, { kind: 'judged' }> | null> {
  let judged: Extract<FirstTestOnly, { kind: 'judged' }> | null = null
  for (const cut of spreadCuts(entries)) {
    const files = rewrite({ kind: 'repeat', entries: cut })
    const input = verifierInput(task, files, task.task.expectedTests)
    const report = await verifier.evaluate({ ...input, checkTypes: false })
    const first = report.tests.results.find(({ status }) => status !== 'skipped')
    if (first?.status !== 'passed') continue
    judged = { kind: 'judged', solved: report.verdict === 'pass', report }
    if (judged.solved) return judged
  }
  return judged
}

function spreadCuts(entries: number): number[] {
  const all = Math.min(entries, MAX_CUTS)
  return [...new Set(Array.from({ length: all }, (_, at) => Math.floor((at * entries) / all)))]
}

/** Returns whether no function of the solution has a parameter: a further test could vary nothing. */
function takesNoInput(typescript: TypeScript, files: readonly SourceText[]): boolean {
  const { Latest } = typescript.ScriptTarget
  return files.every(({ path, text }) => {
    let isFree = !/\barguments\b|\bprocess\b/.test(text)
    const visit = (node: ts.Node): void => {
      if (typescript.isFunctionLike(node) && node.parameters.length > 0) isFree = false
      node.forEachChild(visit)
    }
    visit(typescript.createSourceFile(path, text, Latest, true))
    return isFree
  })
}

type TypeScript = typeof ts
type Mode =
  | { kind: 'count' }
  | { kind: 'limit'; entries: number }
  | { kind: 'repeat'; entries: number }
  | { kind: 'change' }

/**
 * Instruments a reference so that every function first reports its entry: `count` passes the running number to the
 * verifier's probe, `limit` makes entry number `limit + 1` throw. With the number of entries that the first test needs,
 * the limited form is a solution that satisfies the first test and nothing else. `repeat` makes each function repeat
 * its last return value from there on, `change` makes it return something close.
 */
export function instrument(typescript: TypeScript, file: SourceText, mode: Mode): SourceText {
  const source = typescript.createSourceFile(
    file.path,
    file.text,
    typescript.ScriptTarget.Latest,
    true,
  )
  const edits: Edit[] = []
  const visit = (node: ts.Node): void => {
    if (isFunction(typescript, node))
      edits.push(
        ...(mode.kind === 'repeat' || mode.kind === 'change'
          ? answerEdits(typescript, node, source)
          : editsFor(typescript, node, source)),
      )
    node.forEachChild(visit)
  }
  visit(source)
  // Two edits at one position: the outer one was found first, and its closing bracket comes last.
  edits.sort((a, b) => b.at - a.at)
  let text = file.text
  for (const { at, text: inserted } of edits) text = text.slice(0, at) + inserted + text.slice(at)
  return { path: file.path, text: `${text}\n${footer(mode)}` }
}

const repeatFooter = (entries: number) => `
var __entered: number, __answers: Map<number, unknown>
function __over(): boolean { __entered = (__entered ?? 0) + 1; return __entered > ${entries} }
function __keep<T>(id: number, answer: T): T { (__answers ??= new Map()).set(id, answer); return answer }
function __last(id: number): any { return __answers?.get(id) }
`

const CHANGE_FOOTER = `
function __over(): boolean { return false }
function __last(id: number): any {}
function __keep(id: number, answer: any): any {
  if (typeof answer === 'number') return answer + 1
  if (typeof answer === 'bigint') return answer + 1n
  if (typeof answer === 'string') return answer + '?'
  if (typeof answer === 'boolean') return !answer
  if (Array.isArray(answer)) return [...answer, answer[0]]
  if (answer === null || answer === undefined) return 1
  return typeof answer === 'object' ? { ...answer, changed: 1 } : answer
}
`

function footer(mode: Mode): string {
  if (mode.kind === 'repeat') return repeatFooter(mode.entries)
  if (mode.kind === 'change') return CHANGE_FOOTER
  const effect =
    mode.kind === 'count'
      ? '(globalThis as unknown as { __proofboardProbe: (n: number) => void }).__proofboardProbe(__entered)'
      : `if (__entered > ${mode.entries}) throw new Error('only the first test is satisfied')`
  // `var`, because module code may call functions before this line is reached.
  return `var __entered: number;\nfunction __enter(): void {\n  __entered = (__entered ?? 0) + 1;\n  ${effect};\n}\n`
}

type Edit = { at: number; text: string }

/**
 * Passes return values through `__keep`, keyed by their position in the file; past the limit, the last one is repeated.
 */
function answerEdits(typescript: TypeScript, node: Callable, source: ts.SourceFile): Edit[] {
  const { body } = node
  if (!body) return []
  const [id, start, end] = [node.getStart(source), body.getStart(source), body.getEnd()]
  if (!typescript.isBlock(body))
    return [
      { at: start, text: `(__over() ? __last(${id}) : __keep(${id}, (` },
      { at: end, text: ')))' },
    ]
  const edits = [{ at: start + 1, text: ` if (__over()) return __last(${id}); ` }]
  const visit = (inner: ts.Node): void => {
    if (typescript.isFunctionLike(inner)) return
    if (typescript.isReturnStatement(inner) && inner.expression)
      edits.push(
        { at: inner.expression.getStart(source), text: `__keep(${id}, (` },
        { at: inner.expression.getEnd(), text: '))' },
      )
    inner.forEachChild(visit)
  }
  body.forEachChild(visit)
  return edits
}

type Callable =
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction
  | ts.MethodDeclaration
  | ts.AccessorDeclaration

/** Skips constructors: their first statement may have to be `super()`. */
function isFunction(typescript: TypeScript, node: ts.Node): node is Callable {
  return (
    typescript.isFunctionDeclaration(node) ||
    typescript.isFunctionExpression(node) ||
    typescript.isArrowFunction(node) ||
    typescript.isMethodDeclaration(node) ||
    typescript.isAccessor(node)
  )
}

function editsFor(typescript: TypeScript, node: Callable, source: ts.SourceFile): Edit[] {
  const { body } = node
  if (!body) return []
  if (typescript.isBlock(body)) return [{ at: body.getStart(source) + 1, text: ' __enter(); ' }]
  return [
    { at: body.getStart(source), text: '(__enter(), ' },
    { at: body.getEnd(), text: ')' },
  ]
}
