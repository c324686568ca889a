import type { Row } from '#lib/db/read-kept.ts'
import type { Flaw } from '#lib/domain/archive/archive.ts'
import { canonicalJson } from '#lib/domain/canonical-json.ts'
import { type Evaluation, evaluationSchema } from '#lib/domain/evaluation/evaluation.ts'
import { compareColumns, type Flaws, readJsonColumn } from './compare-columns.ts'

/** Every evaluation as its row holds it; one that cannot be read is left out and named. */
export function parseEvaluationRows(rows: readonly Row[]): Flaws & { evaluations: Evaluation[] } {
  const flaws: Flaw[] = []
  const columnFlaws: Flaw[] = []
  const evaluations = rows.flatMap((row): Evaluation | [] => {
    const place = `evaluation ${row.number} of ${row.episodeId}`
    const parsed = evaluationSchema.safeParse(readJsonColumn(row.record))
    if (!parsed.success) {
      flaws.push({ place, problem: 'cannot be read' })
      return []
    }
    const { episodeId, number, at, result, verifier } = parsed.data
    const columns = { episodeId, number: row.number, at: new Date(at), result }
    const record = canonicalJson(parsed.data)
    const expected = { ...columns, verifier: verifier?.digest ?? null, record }
    columnFlaws.push(...compareColumns(place, row, expected))
    if (Number(row.number) !== number)
      columnFlaws.push({ place, problem: 'its column number was changed' })
    return parsed.data
  })
  return { evaluations, flaws, columnFlaws }
}
