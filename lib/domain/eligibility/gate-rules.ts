import type { Rule } from './rule.ts'
import { answersOutOfReachRule } from './rules/answers-out-of-reach.ts'
import { completeRule } from './rules/complete.ts'
import { evaluatedHereRule } from './rules/evaluated-here.ts'
import { faultBaselineRule } from './rules/fault-baseline.ts'
import { faultFiredRule } from './rules/fault-fired.ts'
import { frozenPlanRule } from './rules/frozen-plan.ts'
import { harnessRule } from './rules/harness.ts'
import { identityRule } from './rules/identity.ts'
import { independentRule } from './rules/independent.ts'
import { integrityRule } from './rules/integrity.ts'
import { invalidatedRule } from './rules/invalidated.ts'
import { llmPinsRule } from './rules/llm-pins.ts'
import { modeRule } from './rules/mode.ts'
import { modeEvidenceRule } from './rules/mode-evidence.ts'
import { modelObservedRule } from './rules/model-observed.ts'
import { pinsRule } from './rules/pins.ts'
import { policyVersionRule } from './rules/policy-version.ts'
import { postconditionRule } from './rules/postcondition.ts'
import { provenanceRule } from './rules/provenance.ts'
import { registeredRule } from './rules/registered.ts'
import { regradedRule } from './rules/regraded.ts'
import { retriesRule } from './rules/retries.ts'
import { sameContractRule } from './rules/same-contract.ts'
import { samplesRule } from './rules/samples.ts'
import { subjectKindRule } from './rules/subject-kind.ts'
import { unmeteredRule } from './rules/unmetered.ts'
import { voidAttemptsRule } from './rules/void-attempts.ts'

/** All evidence rules, in the order in which a row lists its refusals. */
export const GATE_RULES: readonly Rule[] = [
  modeRule,
  postconditionRule,
  sameContractRule,
  pinsRule,
  identityRule,
  subjectKindRule,
  harnessRule,
  samplesRule,
  llmPinsRule,
  frozenPlanRule,
  policyVersionRule,
  modelObservedRule,
  unmeteredRule,
  answersOutOfReachRule,
  independentRule,
  retriesRule,
  completeRule,
  voidAttemptsRule,
  integrityRule,
  invalidatedRule,
  regradedRule,
  evaluatedHereRule,
  modeEvidenceRule,
  provenanceRule,
  registeredRule,
  faultFiredRule,
  faultBaselineRule,
]
