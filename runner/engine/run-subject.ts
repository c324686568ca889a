import {
  type Arm,
  type EpisodeBody,
  type Usage,
  unknownActivation,
} from '#lib/domain/record/index.ts'
import type { GatewayReport } from '../gateway/gateway-report.ts'
import type { SubjectContext, SubjectDriver, SubjectResult } from '../subjects/subject-driver.ts'
import { decideSubjectOutcome } from './decide-subject-outcome.ts'

/** Phase 2: runs the subject. Names the outcome only if it is already decided here. */
export async function runSubject(
  driver: SubjectDriver,
  context: SubjectContext,
): Promise<SubjectResult> {
  const ending = await driver.act(context)
  return { ending, outcome: decideSubjectOutcome(ending, context.settings) }
}

/** The part of an envelope that must not come from the agent itself. */
export type Metered = {
  usage: EpisodeBody['usage']
  steps: number | null
  toolCalls: Record<string, number> | null
  firstTool: string | null
  gatewayRetries: number | null
  modelObserved: string[]
  fault: EpisodeBody['fault']
}

const NOTHING: Metered = {
  usage: null,
  steps: null,
  toolCalls: null,
  firstTool: null,
  gatewayRetries: null,
  modelObserved: [],
  fault: null,
}

/** Converts the gateway's report for an envelope; without a report everything is unknown. */
export function meterAttempt(report: GatewayReport | null): Metered {
  if (report === null) return NOTHING
  const { steps, toolCalls, firstTool, retries, faultOutcomes, models } = report
  return {
    usage: describeUsage(report),
    steps,
    toolCalls,
    firstTool,
    gatewayRetries: retries,
    modelObserved: [...new Set(models)].slice(0, 50),
    fault: faultOutcomes.find(({ firedAt }) => firedAt !== null) ?? faultOutcomes[0] ?? null,
  }
}

function describeUsage(report: GatewayReport): Usage {
  const { tokens, knownTokens, costMicroUsd, knownCostMicroUsd, priceTable } = report
  const { costSources, unknownBecause, usedModels, temperatures, implausible } = report
  const isKnown = tokens.input !== null && tokens.output !== null && costMicroUsd !== null
  const { input, output } = knownTokens
  const atLeast = { input, output, costMicroUsd: Math.round(knownCostMicroUsd) }
  return {
    tokens,
    costMicroUsd,
    priceTable,
    costSources,
    ...(isKnown ? {} : { atLeast }),
    ...(unknownBecause.length > 0 ? { unknownBecause } : {}),
    ...(usedModels.length > 0 && { models: usedModels }),
    ...(temperatures.length > 0 && { temperatures }),
    ...(implausible.length > 0 && { implausible }),
  }
}

/** Runs the subject and reports whether its arm was activated, even if nothing could detect it. */
export async function playArm(
  arm: Arm | undefined,
  driver: SubjectDriver,
  context: SubjectContext,
): Promise<SubjectResult> {
  const result = await runSubject(driver, context)
  const { activation = arm && unknownActivation(arm) } = result.ending
  return { ...result, ending: { ...result.ending, activation } }
}
