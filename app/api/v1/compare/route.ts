import { z } from 'zod'
import { getComparison } from '#lib/compare/get-comparison.ts'
import type { ComparisonRefusalCode } from '#lib/domain/compare/comparison.ts'
import { parseRowIds } from '#lib/domain/compare/parse-row-ids.ts'
import { AppError, type ErrorCode } from '#lib/errors.ts'
import { parseQuery } from '#lib/http/parse-query.ts'
import { readRoute } from '#lib/http/read-route.ts'
import { respondJson } from '#lib/http/respond.ts'

const querySchema = z.object({ rows: z.string().max(2000).default('') })

const CODES: Record<ComparisonRefusalCode, ErrorCode> = {
  'too-few-rows': 'invalid-request',
  'too-many-rows': 'invalid-request',
  'repeated-row': 'invalid-request',
  'unknown-row': 'not-found',
  'other-suite': 'conflict',
  'other-version': 'conflict',
}

/** `?rows=a,b`: two to eight rows of one suite version against each other. */
export const GET = readRoute(async (request) => {
  const { rows } = parseQuery(request, querySchema)
  const comparison = await getComparison(parseRowIds(rows))
  if (comparison.ok) return respondJson(request, comparison)
  throw new AppError(CODES[comparison.code], `${comparison.reason} ${comparison.remedy}`)
})
