import type { ReportedTest } from './reported-test.ts'

const POINT = /^( *)(ok|not ok)\b(?: +(\d+))?(?: *- *| +)?(.*)$/
const PLAN = /^( *)1\.\.(\d+)\b/
const BAIL = /^ *Bail out!/
const YAML_START = /^( *)---\s*$/
const DIRECTIVE = /(?:^|\s)#\s*(skip|todo)\b.*$/i

const INDENT = 4
const DEEPEST = 20
/** Of one name: a long group around many tests must not be copied into each. */
const MOST_NAME = 1000

type Level = { tests: ReportedTest[]; points: number; plan: number | null }

/**
 * The tests of a TAP stream (versions 12 to 14, and the subtests of node:test); other lines are output of the program.
 * A group of subtests is part of their names. Throws an Error whose message is the reason.
 */
export function readTap(text: string): ReportedTest[] {
  const levels: Level[] = [newLevel()]
  for (const line of withoutBlocks(text)) readLine(line.trimEnd(), levels)
  const [top] = levels
  if (!top || top.points === 0) throw new Error('it has no test point (ok, not ok)')
  if (top.plan === null) throw new Error('it has no plan (1..N): the run did not end')
  if (top.plan !== top.points)
    throw new Error(`its plan says ${top.plan} tests, and ${top.points} are reported`)
  return top.tests
}

/** Without the YAML blocks below test points, which quote anything. */
function* withoutBlocks(text: string): Generator<string> {
  let block: string | null = null
  for (const line of text.split('\n')) {
    const starts: RegExpExecArray | null = block === null ? YAML_START.exec(line) : null
    if (starts) block = starts[1] ?? ''
    else if (block === null) yield line
    else if (line.startsWith(`${block}...`)) block = null
  }
}

function newLevel(): Level {
  return { tests: [], points: 0, plan: null }
}

function readLine(line: string, levels: Level[]): void {
  if (BAIL.test(line)) throw new Error('it says “Bail out!”: the run did not end')
  const plan = PLAN.exec(line)
  if (plan) readPlan(plan, levels)
  const point = plan ? null : POINT.exec(line)
  if (point) readPoint(point, levels)
}

function readPoint(point: RegExpExecArray, levels: Level[]): void {
  const [, indent = '', word, , description = ''] = point
  const depth = indent.length / INDENT
  if (!Number.isInteger(depth)) return
  const level = levelAt(levels, depth)
  const inner = levels.splice(depth + 1)[0]?.tests ?? []
  const directive = DIRECTIVE.exec(description)
  const name = unescapeName(
    description
      .slice(0, directive?.index ?? description.length)
      .trim()
      .slice(0, MOST_NAME),
  )
  const status: ReportedTest['status'] = directive ? 'skipped' : word === 'ok' ? 'passed' : 'failed'
  level.points++
  level.tests.push(...(inner.length > 0 ? within(name, status, inner) : [{ name, status }]))
}

function readPlan([, indent = '', count]: RegExpExecArray, levels: Level[]): void {
  const depth = indent.length / INDENT
  if (!Number.isInteger(depth)) return
  const level = levelAt(levels, depth)
  if (level.plan !== null && depth === 0) throw new Error('it has two plans (1..N)')
  level.plan = Number(count)
}

function levelAt(levels: Level[], depth: number): Level {
  if (depth > DEEPEST) throw new Error(`it is nested deeper than ${DEEPEST} levels`)
  while (levels.length <= depth) levels.push(newLevel())
  return levels[depth] as Level
}

/** A group is not a test; one that failed although none of its tests did has failed by itself. */
function within(
  group: string,
  status: ReportedTest['status'],
  inner: readonly ReportedTest[],
): ReportedTest[] {
  const named = inner.map((test) => ({ ...test, name: `${group} > ${test.name}` }))
  const isAlone = status === 'failed' && inner.every((test) => test.status !== 'failed')
  return isAlone ? [...named, { name: group, status: 'error' }] : named
}

function unescapeName(name: string): string {
  return name.replaceAll(/\\([#\\])/g, '$1')
}
