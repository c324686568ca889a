import type ts from 'typescript-gate'
import type { SourceFile } from '../verifier-types.ts'
import type { Expectation, Literal } from './type-messages.ts'

/** Matchers that compare with a value: another literal is another expectation. */
const COMPARING = new Set([
  ...['toBe', 'toEqual', 'toStrictEqual', 'toHaveLength', 'toContain', 'toContainEqual'],
  ...['toBeCloseTo', 'toMatchObject', 'toThrow', 'toThrowError', 'toMatch', 'toHaveReturnedWith'],
  ...['toHaveBeenCalledTimes', 'toHaveBeenCalledWith', 'toHaveBeenNthCalledWith'],
])

/** Finds every `expect(…).matcher(…)` of a task's test files, with the positions at which it can be altered. */
export function findExpectations(
  typescript: typeof ts,
  files: readonly SourceFile[],
): Expectation[] {
  return files.flatMap((file, index) => {
    const source = typescript.createSourceFile(
      file.path,
      file.text,
      typescript.ScriptTarget.Latest,
      true,
    )
    const found: Expectation[] = []
    const visit = (node: ts.Node): void => {
      const expectation = readExpectation(typescript, node, source)
      if (expectation) found.push({ file: index, ...expectation })
      node.forEachChild(visit)
    }
    visit(source)
    return found
  })
}

type Place = Omit<Expectation, 'file'>

/** Reads `expect(x).not.toBe(1)`: the matcher's name, whether it is negated, and the literals it compares with. */
function readExpectation(
  typescript: typeof ts,
  node: ts.Node,
  source: ts.SourceFile,
): Place | null {
  if (!typescript.isCallExpression(node)) return null
  const { expression } = node
  if (!typescript.isPropertyAccessExpression(expression)) return null
  const chain = readChain(typescript, expression.expression)
  if (chain === null) return null
  const { not } = chain
  const name = expression.name.getStart(source)
  const literals =
    not === null && COMPARING.has(expression.name.text)
      ? node.arguments.flatMap((argument) => findLiterals(typescript, argument, source))
      : []
  const negation = not
    ? { start: not.name.getStart(source), end: name, text: '' }
    : { start: name, end: name, text: 'not.' }
  return { negation, literals }
}

type Chain = { not: ts.PropertyAccessExpression | null }

/** Follows `expect(x).resolves.not` down to the call of expect. */
function readChain(typescript: typeof ts, node: ts.Expression): Chain | null {
  if (typescript.isCallExpression(node)) {
    const { expression } = node
    return typescript.isIdentifier(expression) && expression.text === 'expect'
      ? { not: null }
      : null
  }
  if (!typescript.isPropertyAccessExpression(node)) return null
  const below = readChain(typescript, node.expression)
  if (below === null) return null
  const { text } = node.name
  if (text === 'not') return { not: node }
  return text === 'resolves' || text === 'rejects' ? below : null
}

/**
 * Finds literals of an expected value, except those inside functions, keys or calls, which would mean something else.
 */
function findLiterals(typescript: typeof ts, node: ts.Node, source: ts.SourceFile): Literal[] {
  const place = { start: node.getStart(source), end: node.getEnd() }
  if (typescript.isNumericLiteral(node)) return [{ kind: 'number', ...place }]
  if (typescript.isStringLiteralLike(node)) return [{ kind: 'text', ...place }]
  if (node.kind === typescript.SyntaxKind.TrueKeyword) return [{ kind: 'true', ...place }]
  if (node.kind === typescript.SyntaxKind.FalseKeyword) return [{ kind: 'false', ...place }]
  const below = (nodes: readonly ts.Node[]) =>
    nodes.flatMap((one) => findLiterals(typescript, one, source))
  if (typescript.isArrayLiteralExpression(node)) return below(node.elements)
  if (typescript.isObjectLiteralExpression(node))
    return below(
      node.properties.flatMap((one) =>
        typescript.isPropertyAssignment(one) ? [one.initializer] : [],
      ),
    )
  if (typescript.isParenthesizedExpression(node) || typescript.isAsExpression(node))
    return below([node.expression])
  return []
}
