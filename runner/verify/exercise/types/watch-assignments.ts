import type ts from 'typescript-gate'
import type { SourceFile } from '../verifier-types.ts'

/** The name under which a watched file finds the watcher; see child/guard-writes.ts. */
export const WATCHER = '__watchWrite'

/**
 * Adds a watcher before every assignment to a member and every `delete` of one: `a.b = 1` becomes `(__watchWrite(a,
 * "b"), a.b = 1)`. The program's behaviour stays the same; a write to a locked built-in that is refused and swallowed
 * leaves a trace.
 */
export function watchAssignments(typescript: typeof ts, file: SourceFile): SourceFile {
  const { ScriptTarget, ScriptKind } = typescript
  const kind = file.path.endsWith('x') ? ScriptKind.TSX : ScriptKind.TS
  const source = typescript.createSourceFile(file.path, file.text, ScriptTarget.Latest, true, kind)
  const inserts: { at: number; text: string }[] = []
  const own = declaredNames(typescript, source)
  const visit = (node: ts.Node): void => {
    const target = writtenMember(typescript, node)
    const call = target
      ? watcherCall(typescript, target, source)
      : globalCall(typescript, node, own)
    if (call) {
      const at = node.getStart(source)
      // A parenthesis at the start of a statement could turn the line before it into a call.
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

/** Returns the member that an expression writes to or deletes. */
function writtenMember(typescript: typeof ts, node: ts.Node): Member | null {
  const { FirstAssignment, LastAssignment } = typescript.SyntaxKind
  const isMember = (one: ts.Node): one is Member =>
    typescript.isPropertyAccessExpression(one) || typescript.isElementAccessExpression(one)
  if (typescript.isBinaryExpression(node)) {
    const { kind } = node.operatorToken
    // `??=` and similar operators write conditionally: an unneeded polyfill writes nothing.
    if (/^(\?\?|\|\||&&)=$/.test(node.operatorToken.getText())) return null
    return kind >= FirstAssignment && kind <= LastAssignment && isMember(node.left)
      ? node.left
      : null
  }
  if (typescript.isDeleteExpression(node) && isMember(node.expression)) return node.expression
  return null
}

/** Globals that a program could replace by a plain assignment, if it declares none of that name itself. */
export const REPLACEABLE_GLOBALS: readonly string[] = [
  ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval'],
  ...['queueMicrotask', 'structuredClone', 'Promise', 'JSON', 'Math', 'Object', 'Array', 'String'],
  ...['Number', 'Boolean', 'Symbol', 'Date', 'Map', 'Set', 'RegExp', 'Error', 'Reflect', 'Proxy'],
  'Function',
]

function globalCall(typescript: typeof ts, node: ts.Node, own: ReadonlySet<string>): string | null {
  if (!typescript.isBinaryExpression(node) || !typescript.isIdentifier(node.left)) return null
  if (node.operatorToken.kind !== typescript.SyntaxKind.EqualsToken) return null
  const { text } = node.left
  return REPLACEABLE_GLOBALS.includes(text) && !own.has(text)
    ? `globalThis, ${JSON.stringify(text)}`
    : null
}

/** Lists every name that the file itself declares anywhere: writes to those are allowed. */
function declaredNames(typescript: typeof ts, source: ts.SourceFile): Set<string> {
  const names = new Set<string>()
  const visit = (node: ts.Node): void => {
    const { name } = node as { name?: ts.Node }
    if (name && typescript.isIdentifier(name) && !typescript.isPropertyAccessExpression(node))
      names.add(name.text)
    node.forEachChild(visit)
  }
  visit(source)
  return names
}

/** Only targets that can be read twice without side effects; an object's own `this` is not a built-in. */
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
