import { countOf } from '../text/index.ts'
import type { ReportedTest } from './reported-test.ts'

const POINT = /^( *)(ok|not ok)\b(?: +(\d+))?(?: *- *| +)?(.*)$/
const PLAN = /^( *)1\.\.(\d+)\b/
const BAIL = /^ *Bail out!/
const YAML_START = /^( *)---\s*$/
const DIRECTIVE = /(?:^|\s)#\s*(skip|todo)\b.*$/i
/** Duration in a name (tap, vitest); removed, because it differs in each run. */
const TIME = /(?:^|\s)# time=[\d.]+m?s(?=\s|$)/
/** A group (tap, vitest): the tests inside follow, up to the closing line. */
const GROUP = /(?:^| )\{$/
const GROUP_END = /^( *)\}$/

const INDENT = 4
const DEEPEST = 20
/** Longer names are cut: a long group name must not be copied into each of many tests. */
const MAX_NAME = 1000

type Level = {
  tests: ReportedTest[]
  points: number
  plan: number | null
  /** A point whose group follows. */
  open: Point | null
}
type Point = Pick<ReportedTest, 'name' | 'status'>

/**
 * Reads the tests of a TAP stream (versions 12 to 14, the subtests of node:test, the groups of tap and vitest); other
 * lines are output of the program. Group names become part of the names of their tests. Throws an Error whose message
 * is the reason.
 */
export function readTap(text: string): ReportedTest[] {
  const levels: Level[] = [newLevel()]
  const lines = [...withoutBlocks(text)]
  for (const [at, line] of lines.entries())
    readLine(line.trimEnd(), levels, () => followingPoint(lines, at + 1))
  const [top] = levels
  if (levels.some(({ open }) => open !== null)) throw new Error('one of its groups does not end')
  if (!top || top.points === 0) throw new Error('it has no test point (ok, not ok)')
  if (top.plan === null) throw new Error('it has no plan (1..N): the run did not end')
  if (top.plan !== top.points)
    throw new Error(`its plan says ${countOf(top.plan, 'test')}, and ${top.points} are reported`)
  return top.tests
}

/** Drops the YAML blocks below test points, which may quote anything. */
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
  return { tests: [], points: 0, plan: null, open: null }
}

/** Depth of the next plan or point; -1 = none. */
function followingPoint(lines: readonly string[], from: number): number {
  const next = lines[from]?.trim() === '' ? from + 1 : from
  const line = lines[next]?.trimEnd() ?? ''
  const found = PLAN.exec(line) ?? POINT.exec(line)
  return found ? (found[1] ?? '').length : -1
}

function readLine(line: string, levels: Level[], nextDepth: () => number): void {
  if (BAIL.test(line)) throw new Error('it says “Bail out!”: the run did not end')
  const plan = PLAN.exec(line)
  const end = GROUP_END.exec(line)
  const point = plan ? null : POINT.exec(line)
  if (plan) readPlan(plan, levels)
  if (end) closeGroup(end, levels)
  if (point) readPoint(point, levels, nextDepth)
}

function readPoint(point: RegExpExecArray, levels: Level[], nextDepth: () => number): void {
  const [, indent = '', word, , description = ''] = point
  const depth = indent.length / INDENT
  if (!Number.isInteger(depth)) return
  const level = levelAt(levels, depth)
  // A test name may look like a group; it is one if an indented point follows.
  const isGroup = GROUP.test(description) && nextDepth() === indent.length + INDENT
  const own = toPoint(word, isGroup ? description.slice(0, -1).trimEnd() : description)
  level.points++
  if (isGroup) openGroup(levels, depth, own)
  else addPoint(levels, depth, own)
}

function openGroup(levels: Level[], depth: number, own: Point): void {
  const level = levelAt(levels, depth)
  if (level.open !== null) throw new Error('one of its groups does not end')
  levels.splice(depth + 1)
  level.open = own
}

function toPoint(word: string | undefined, description: string): Point {
  const timeless = description.replace(TIME, '')
  const directive = DIRECTIVE.exec(timeless)
  const name = timeless.slice(0, directive?.index ?? timeless.length).trim()
  const status = directive ? 'skipped' : word === 'ok' ? 'passed' : 'failed'
  return { name: unescapeName(name.slice(0, MAX_NAME)), status }
}

function closeGroup([, indent = '']: RegExpExecArray, levels: Level[]): void {
  const depth = indent.length / INDENT
  const level = levels[depth]
  // Programs print brackets too.
  if (!level?.open) return
  const point = level.open
  level.open = null
  addPoint(levels, depth, point)
}

/** Adds a point and the tests inside it, which precede it in the stream. */
function addPoint(levels: Level[], depth: number, { name, status }: Point): void {
  const inner = levels.splice(depth + 1)[0]?.tests ?? []
  levels[depth]?.tests.push(
    ...(inner.length > 0 ? within(name, status, inner) : [{ name, status }]),
  )
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

/** A group is not a test; one that failed although all of its tests passed counts as a failed test. */
function within(
  group: string,
  status: ReportedTest['status'],
  inner: readonly ReportedTest[],
): ReportedTest[] {
  const named = inner.map((test) => ({ ...test, name: `${group} > ${test.name}` }))
  const isAlone =
    status === 'failed' && inner.every((test) => !['failed', 'error'].includes(test.status))
  return isAlone ? [...named, { name: group, status: 'error' }] : named
}

function unescapeName(name: string): string {
  return name.replaceAll(/\\([#\\])/g, '$1')
}
