import { basename } from 'node:path'
import ts from 'typescript-gate'

/** Something that a driver or an adapter must not do, with its line. */
export type DriverViolation = { line: number; what: string }

const WAITS = new Set([
  'setTimeout',
  'setInterval',
  'setImmediate',
  'waitForTimeout',
  'waitForNetworkIdle',
  'sleep',
  'delay',
])
const NETWORK = new Set(['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'])
const TIMERS = /^(node:)?timers(\/promises)?$/
const WIRES = /^(node:)?(https?|http2|net|tls|dgram)$|^(undici|axios|got|node-fetch)$/
const SURFACE = /^(#|(\.\.\/)+)runner\/libraries\/(action-surface|driver)\.ts$/
/** Steps that workflows of one app share; checked like drivers. */
const SHARED_STEPS = /^(\.|\.\.\/apps\/[a-z0-9-]+)\/[a-z0-9-]+-steps\.ts$/
const CONTROL = /\/\.control|x-[a-z-]*control/i

/**
 * Finds fixed sleeps, the apps' control endpoint and network access in a source; in a driver (`isDriver`) also every
 * import except the page's types, and every global that leads out of the page. Reads the syntax tree, so words in
 * comments are ignored.
 */
export function findDriverViolations(
  path: string,
  text: string,
  isDriver: boolean,
): DriverViolation[] {
  const source = ts.createSourceFile(basename(path), text, ts.ScriptTarget.Latest, true)
  const violations: DriverViolation[] = []
  const note = (node: ts.Node, what: string) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    violations.push({ line: line + 1, what })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) lookAtName(node, note)
    if ('text' in node && typeof node.text === 'string' && !ts.isIdentifier(node))
      lookAtWords(node.text, node, note)
    if (isDriver) lookAtDriver(node, note)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return violations
}

type Note = (node: ts.Node, what: string) => void

function lookAtName(node: ts.Identifier, note: Note): void {
  // A page may have a member to pause, and so may a library.
  const isPause = node.text === 'pause' && ts.isPropertyAccessExpression(node.parent)
  if (isPause || (WAITS.has(node.text) && !isOwnName(node))) note(node, `waits by ${node.text}`)
  if (NETWORK.has(node.text)) note(node, `speaks to the network by ${node.text}`)
}

/** A key with a value, as in a library's options, is not a wait. */
function isOwnName(node: ts.Identifier): boolean {
  return ts.isPropertyAssignment(node.parent) && node.parent.name === node
}

function lookAtWords(words: string, node: ts.Node, note: Note): void {
  if (CONTROL.test(words)) note(node, 'knows the control endpoint')
  if (TIMERS.test(words)) note(node, 'takes timers')
  if (WIRES.test(words)) note(node, 'takes the network')
}

function lookAtDriver(node: ts.Node, note: Note): void {
  if (ts.isImportDeclaration(node)) lookAtImport(node, note)
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    note(node, 'imports while it runs')
  if (ts.isIdentifier(node) && ['process', 'globalThis', 'require'].includes(node.text))
    note(node, `reaches for ${node.text}`)
  const isNow = ts.isPropertyAccessExpression(node) && node.getText() === 'Date.now'
  const isToday = ts.isNewExpression(node) && node.expression.getText() === 'Date'
  if (isNow || (isToday && !node.arguments?.length)) note(node, 'reads the clock')
}

function lookAtImport(node: ts.ImportDeclaration, note: Note): void {
  const from = (node.moduleSpecifier as ts.StringLiteral).text
  const isType = node.importClause?.isTypeOnly === true && SURFACE.test(from)
  if (!isType && !SHARED_STEPS.test(from))
    note(node, `imports more than the surface's types: ${from}`)
}
