import type { Attack } from './attack.ts'
import {
  AGENT_DENIALS,
  AGENT_INJECTIONS,
  AGENT_VERDICTS,
  HARNESS_ATTACKS,
  INPUT_ATTACKS,
} from './attacks/agents-harness.ts'
import { ANSWER_ATTACKS, SECRET_ATTACKS } from './attacks/agents-reach.ts'
import { DENIALS } from './attacks/denials.ts'
import { FORGED_VERDICTS } from './attacks/forged-verdicts.ts'
import { INJECTIONS } from './attacks/injections.ts'
import { LANGUAGE_ATTACKS } from './attacks/language.ts'
import { LYING_VALUES } from './attacks/lying-values.ts'
import { MEMORISED } from './attacks/memorised.ts'
import { SANDBOX_ESCAPES } from './attacks/sandbox-escapes.ts'

/** Every attack on exercises, in the order in which it is played and shown. */
export const ATTACKS: readonly Attack[] = [
  ...ANSWER_ATTACKS,
  ...MEMORISED,
  ...FORGED_VERDICTS,
  ...AGENT_VERDICTS,
  ...HARNESS_ATTACKS,
  ...LANGUAGE_ATTACKS,
  ...LYING_VALUES,
  ...SANDBOX_ESCAPES,
  ...SECRET_ATTACKS,
  ...DENIALS,
  ...AGENT_DENIALS,
  ...INPUT_ATTACKS,
  ...INJECTIONS,
  ...AGENT_INJECTIONS,
]
