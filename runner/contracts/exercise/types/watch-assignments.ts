import type ts from 'typescript-gate'
import type { SourceFile } from '../gate-types.ts'

/** The name under which a watched file finds the watcher; see child/guard-writes.ts. */
export const WATCHER = '__watchWrite'

/**
 * Puts a watcher before every assignment to a member and every `delete` of one: `a.b = 1` becomes
 * `(__watchWrite(a, "b"), a.b = 1)`. What the program does stays the same; a write to a locked built-in that is
 * refused and swallowed leaves a trace.
 */
export function watchAssignments(typescript: typeof ts, file: SourceFile): SourceFile {
  const { ScriptTarget, ScriptKind } = typescript
  const kind = file.path.endsWith('x') ? ScriptKind.TSX : ScriptKind.TS
  const source = typescript.createSourceFile(file.path, file.text, ScriptTarget.Latest, true, kind)
  const inserts: { at: number; text: string }[] = []
  const visit = (node: ts.Node): void => {
    const target = writtenMember(typescript, node)
    const call = target && watcherCall(typescript, target, source)
    if (call) {
      const at = node.getStart(source)
      // A parenthesis at the start of a statement could make a call of the line before it.
      const isFirst = startsStatement(typescript, node, source)
      inserts.push({ at, text: `${isFirst ? '' : '('}${WATCHER}(${call}), ` })
      if (!isFirst) inserts.push({ at: node.getEnd(), text: ')' })
    }
    node.forEachChild(visit)
  }
  visit(source)
  inserts.sort((a, b) => b.at - a.at)
  const text = inserts.reduce(
    (text, { at, text: added }) => text.slice(0, at) + added + text.slice(at),
    file.text,
  )
  return { path: file.path, text }
}

function startsStatement(typescript: typeof ts, node: ts.Node, source: ts.SourceFile): boolean {
  const statement = typescript.findAncestor(node, typescript.isExpressionStatement)
  return statement?.getStart(source) === node.getStart(source)
}

type Member = ts.PropertyAccessExpression | ts.ElementAccessExpression

/** The member that an expression writes to or deletes. */
function writtenMember(typescript: typeof ts, node: ts.Node): Member | null {
  const { FirstAssignment, LastAssignment } = typescript.SyntaxKind
  const isMember = (one: ts.Node): one is Member =>
    typescript.isPropertyAccessExpression(one) || typescript.isElementAccessExpression(one)
  if (typescript.isBinaryExpression(node)) {
    const { kind } = node.operatorToken
    // `??=` and its like write only sometimes: a polyfill that is not needed writes nothing.
    if (/^(\?\?|\|\||&&)=$/.test(node.operatorToken.getText())) return null
    return kind >= FirstAssignment && kind <= LastAssignment && isMember(node.left)
      ? node.left
      : null
  }
  if (typescript.isDeleteExpression(node) && isMember(node.expression)) return node.expression
  return null
}

/** Only what can be read twice without doing anything twice; an object's own `this` is nobody's built-in. */
function watcherCall(typescript: typeof ts, member: Member, source: ts.SourceFile): string | null {
  if (!isPlain(typescript, member.expression)) return null
  const key = typescript.isPropertyAccessExpression(member)
    ? JSON.stringify(member.name.text)
    : isPlain(typescript, member.argumentExpression)
      ? member.argumentExpression.getText(source)
      : null
  return key === null || key.startsWith('"#')
    ? null
    : `${member.expression.getText(source)}, ${key}`
}

function isPlain(typescript: typeof ts, node: ts.Expression): boolean {
  if (typescript.isPropertyAccessExpression(node)) return isPlain(typescript, node.expression)
  if (
    typescript.isParenthesizedExpression(node) ||
    typescript.isAsExpression(node) ||
    typescript.isNonNullExpression(node)
  )
    return isPlain(typescript, node.expression)
  return (
    typescript.isIdentifier(node) ||
    typescript.isStringLiteralLike(node) ||
    typescript.isNumericLiteral(node)
  )
}
