import { PAGE_WORDS } from '#components/docs/page-words.ts'
import { methodologyEndpoint } from '#lib/domain/api/index.ts'
import { describeThreats, METHODOLOGY_CONSTANTS } from '#lib/domain/reports/index.ts'
import { listSuiteThresholds } from '#lib/server/board/suites.ts'
import { readMethodology } from '#lib/server/board/text-pages.ts'
import { readRoute } from '#lib/server/http/read-route.ts'

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = readRoute(
  methodologyEndpoint,
  async () => {
    const { rules, ...constants } = METHODOLOGY_CONSTANTS
    const demands = rules.map(({ code, fromSeed, demand }) => ({
      code,
      fromSeed,
      demand: demand(constants.policy),
    }))
    const suites = await listSuiteThresholds()
    const threats = describeThreats([...(await readMethodology(PAGE_WORDS)).values()])
    return { schemaVersion: 1 as const, ...constants, threats, rules: demands, suites }
  },
)
