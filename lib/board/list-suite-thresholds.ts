import { database } from '#lib/db/database.ts'
import { listSuites } from '#lib/db/suite-store.ts'
import { POLICY, tightenPolicy } from '#lib/domain/eligibility/policy.ts'
import type { SuiteThresholds } from '#lib/domain/methodology/methodology-constants.ts'

/** The thresholds that hold on each suite's board: the policy's, or the suite's where they are stricter. */
export async function listSuiteThresholds(): Promise<SuiteThresholds[]> {
  const suites = await listSuites(database())
  return suites.map(({ suiteId, title, thresholds = {} }) => {
    const policy = tightenPolicy(POLICY, thresholds)
    return { suiteId, title, thresholds: policy.thresholds }
  })
}
