import { listSuiteThresholds } from '#lib/board/list-suite-thresholds.ts'
import { METHODOLOGY_CONSTANTS } from '#lib/domain/methodology/methodology-constants.ts'
import { readRoute } from '#lib/http/read-route.ts'
import { respondJson } from '#lib/http/respond.ts'

/** The policy of the headline gate, its rules and every other number the methodology speaks of. */
export const GET = readRoute(async (request) => {
  const { rules, ...constants } = METHODOLOGY_CONSTANTS
  const demands = rules.map(({ code, fromSeed, demand }) => ({
    code,
    fromSeed,
    demand: demand(constants.policy),
  }))
  const suites = await listSuiteThresholds()
  return respondJson(request, { schemaVersion: 1, ...constants, rules: demands, suites })
})
