import type { Kept, Row } from '#lib/db/read-kept.ts'
import { toSuite } from '#lib/db/suite-store.ts'
import type { Flaw } from '#lib/domain/archive/archive.ts'
import { canonicalJson } from '#lib/domain/canonical-json.ts'
import type { Digest } from '#lib/domain/digest.ts'
import type { Suite } from '#lib/domain/suite.ts'
import { compareColumns, type Flaws } from './compare-columns.ts'

export type ParsedSuites = Flaws & { suites: Suite[]; current: Map<string, Digest> }

/** Every version of every suite as its rows hold it. */
export function parseSuiteRows({ suites, tasks }: Pick<Kept, 'suites' | 'tasks'>): ParsedSuites {
  const parsed: ParsedSuites = { suites: [], current: new Map(), flaws: [], columnFlaws: [] }
  for (const row of suites) {
    const place = `suite ${row.suiteId}`
    const own = tasks.filter(({ suiteDigest }) => suiteDigest === row.digest)
    const suite = readSuite(row, own)
    if (!suite) {
      parsed.flaws.push({ place, problem: `its version ${row.digest} cannot be read` })
      continue
    }
    parsed.suites.push(suite)
    if (row.isCurrent === 1) parsed.current.set(suite.suiteId, suite.digest)
    parsed.columnFlaws.push(...own.flatMap((task, index) => checkTask(place, task, suite, index)))
  }
  return parsed
}

function readSuite(row: Row, tasks: readonly Row[]): Suite | null {
  try {
    // Rows of the suite store's shape; the schema decides whether they make a suite.
    return toSuite({ ...row, tasks } as unknown as Parameters<typeof toSuite>[0])
  } catch {
    return null
  }
}

function checkTask(place: string, row: Row, suite: Suite, index: number): Flaw[] {
  const task = suite.tasks[index]
  if (!task) return []
  const { taskId, digest, title, category, difficulty } = task
  const definition = canonicalJson(task)
  const expected = { taskId, digest, title, category, difficulty, definition, position: index }
  return compareColumns(`${place}, task ${taskId}`, row, expected)
}
