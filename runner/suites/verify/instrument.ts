import type ts from 'typescript-gate'
import type { SourceText } from '../task-folder.ts'

type TypeScript = typeof ts

/**
 * A reference whose every function first reports that it is entered: `count` hands the running number to the gate's
 * probe, `limit` makes entry number `limit + 1` throw. With the number of entries that the first test needs, the
 * limited form is a solution that satisfies the first test and nothing else.
 */
export function instrument(
  typescript: TypeScript,
  file: SourceText,
  mode: { kind: 'count' } | { kind: 'limit'; entries: number },
): SourceText {
  const source = typescript.createSourceFile(
    file.path,
    file.text,
    typescript.ScriptTarget.Latest,
    true,
  )
  const edits: { at: number; text: string }[] = []
  const visit = (node: ts.Node): void => {
    if (isFunction(typescript, node)) edits.push(...editsFor(typescript, node, source))
    node.forEachChild(visit)
  }
  visit(source)
  edits.sort((a, b) => b.at - a.at)
  let text = file.text
  for (const { at, text: inserted } of edits) text = text.slice(0, at) + inserted + text.slice(at)
  return { path: file.path, text: `${text}\n${footer(mode)}` }
}

function footer(mode: { kind: 'count' } | { kind: 'limit'; entries: number }): string {
  const effect =
    mode.kind === 'count'
      ? '(globalThis as unknown as { __proofboardProbe: (n: number) => void }).__proofboardProbe(__entered)'
      : `if (__entered > ${mode.entries}) throw new Error('only the first test is satisfied')`
  // `var`, because module code may call functions before this line is reached.
  return `var __entered: number;\nfunction __enter(): void {\n  __entered = (__entered ?? 0) + 1;\n  ${effect};\n}\n`
}

type Callable =
  | ts.FunctionDeclaration
  | ts.FunctionExpression
  | ts.ArrowFunction
  | ts.MethodDeclaration
  | ts.AccessorDeclaration

/** Constructors are left alone: their first statement may have to be `super()`. */
function isFunction(typescript: TypeScript, node: ts.Node): node is Callable {
  return (
    typescript.isFunctionDeclaration(node) ||
    typescript.isFunctionExpression(node) ||
    typescript.isArrowFunction(node) ||
    typescript.isMethodDeclaration(node) ||
    typescript.isAccessor(node)
  )
}

function editsFor(
  typescript: TypeScript,
  node: Callable,
  source: ts.SourceFile,
): { at: number; text: string }[] {
  const { body } = node
  if (!body) return []
  if (typescript.isBlock(body)) return [{ at: body.getStart(source) + 1, text: ' __enter(); ' }]
  return [
    { at: body.getStart(source), text: '(__enter(), ' },
    { at: body.getEnd(), text: ')' },
  ]
}
