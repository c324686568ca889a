import { basename } from 'node:path'
import ts from 'typescript-gate'

/** A count whose text is wrong for 1, with its line. */
export type CountViolation = { line: number; text: string }

/** Words that end a phrase, so that no noun belongs to the value: `${name} of tests`, `${task} is`. */
const ENDS =
  `a|across|after|against|ago|already|an|and|answers|are|as|asks|at|belongs|between|brings|but|by|calls|changes|
  contains|counts|declares|defines|differs|disagrees|does|each|ends|every|exists|expects|fails|finds|for|from|gives|has|
  have|holds|if|ignores|in|installs|into|is|its|keeps|knows|lacks|leads|leaves|left|limits|looks|makes|maps|means|measures|ms|
  names|needs|no|not|of|on|only|opens|or|passes|per|percentage|reads|refuses|requires|runs|says|sends|shows|since|solves|
  speaks|starts|takes|than|that|the|these|this|times to|to|towards|uses|vs|wants|was|were|which|with|within|without|works|
  writes`
    .replace(/\s+/g, ' ')
    .replaceAll('| ', '|')
const WORD = `(?!(?:${ENDS})\\b)[a-z-]+`
/** A plural noun within the next three words: ` tasks`, ` more scored episodes`. */
const PLURAL = new RegExp(`^ (?:${WORD} ){0,2}(?!(?:${ENDS})\\b)[a-z-]*[^siu\\W]s(?![\\w-])`)
/** Only sources that match this are parsed. */
const SUSPECT = new RegExp(
  `\\}\\s+(?:${WORD}\\s+){0,2}(?!(?:${ENDS})\\b)[a-z-]*[^siu\\W]s(?![\\w-])|[!=]== 1 \\?`,
)
/** Values that are texts, or never 1. */
const IS_OTHER =
  /^[A-Z][A-Z0-9_]+\b|\.[A-Z][A-Z0-9_]*$|\b(?:[Ii]d|[Kk]ey|[Kk]ind|[Nn]ame|[Ll]abel|[Pp]ath|[Tt]arget|[Rr]eason|[Ff]ile|[Ff]lag|[Oo]ption|[Cc]ommand|[Ww]ord|[Dd]irection)$|Id$/
/** Functions that return a text with its own unit, or a decimal number. */
const IS_TEXT =
  /\b(?:toFixed|format(?!Count)\w+|countOf|pluralForm|levelsOf|listNames|shellWord|join|stringify|slice|text)\(/

/** Finds counts before plural nouns, and choices between two forms, that do not use `countOf` or `pluralForm`. */
export function findCountViolations(path: string, text: string): CountViolation[] {
  if (!SUSPECT.test(text)) return []
  const source = ts.createSourceFile(basename(path), text, ts.ScriptTarget.Latest, true)
  const violations: CountViolation[] = []
  const note = (node: ts.Node, what: string) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    violations.push({ line: line + 1, text: what.replace(/\s+/g, ' ').trim() })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'pluralForm') return
    const count = countIn(node)
    if (count !== null && isCount(count.value) && PLURAL.test(count.after))
      note(node, `{${count.value.getText()}}${count.after.slice(0, 40)}`)
    if (ts.isConditionalExpression(node) && choosesForm(node)) note(node, node.getText())
    ts.forEachChild(node, visit)
  }
  visit(source)
  return violations
}

type Count = { value: ts.Expression; after: string }

/** A value in a text, with the words after it; null = the node is something else. */
function countIn(node: ts.Node): Count | null {
  if (ts.isTemplateSpan(node)) return { value: node.expression, after: node.literal.text }
  return ts.isJsxText(node) ? countBefore(node) : null
}

/** The value in braces before a text of JSX. */
function countBefore(text: ts.JsxText): Count | null {
  if (!ts.isJsxElement(text.parent) && !ts.isJsxFragment(text.parent)) return null
  const before = text.parent.children[text.parent.children.indexOf(text) - 1]
  if (!before || !ts.isJsxExpression(before) || !before.expression) return null
  return { value: before.expression, after: text.text.replace(/\s+/g, ' ') }
}

function isCount(value: ts.Expression): boolean {
  const isLiteral = ts.isStringLiteralLike(value) || ts.isTemplateExpression(value)
  const text = value.getText()
  return (
    !isLiteral && !ts.isConditionalExpression(value) && !IS_OTHER.test(text) && !IS_TEXT.test(text)
  )
}

const VERBS = /^(?:are is|were was|have has|do does|them it)$/

/** Matches `n === 1 ? 'task' : 'tasks'` and `n === 1 ? 'is' : 'are'`. */
function choosesForm({ condition, whenTrue, whenFalse }: ts.ConditionalExpression): boolean {
  if (!/[!=]== 1$/.test(condition.getText())) return false
  const [one, other] = [whenTrue, whenFalse].map(formOf).sort((a, b) => a.length - b.length)
  if (!one || !other) return false
  return (
    VERBS.test(`${other} ${one}`) || (other.endsWith('s') && other.startsWith(one.slice(0, -1)))
  )
}

/** The words of a text without its values; empty = not a text. */
function formOf(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text.replace(/\d/g, '').trim()
  if (!ts.isTemplateExpression(node)) return ''
  return [node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join('').trim()
}
