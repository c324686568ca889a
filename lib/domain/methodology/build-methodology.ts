import type { MethodologyInput } from './methodology-constants.ts'
import type { Section } from './methodology-section.ts'
import { browserSection } from './sections/browser.ts'
import { comparisonSection } from './sections/comparison.ts'
import { errorsSection } from './sections/errors.ts'
import { faultsSection, reportsSection } from './sections/faults.ts'
import {
  gateSection,
  labelsSection,
  provenanceSection,
  thresholdsSection,
} from './sections/gate.ts'
import { isolationSection } from './sections/isolation.ts'
import { measuredSection, outcomesSection } from './sections/measured.ts'
import { progressSection } from './sections/progress.ts'
import { rankingSection, ratesSection } from './sections/rates.ts'
import { episodeSection, ledgerSection } from './sections/record.ts'
import { simulationSection } from './sections/simulation.ts'
import { costSection, passKSection, plannerSection, voidsSection } from './sections/spending.ts'
import { exposureSection, tasksSection, verifierErrorsSection } from './sections/tasks.ts'
import { findingsSection, threatModelSection } from './sections/threat-model.ts'
import { verificationSection } from './sections/verification.ts'

const SECTIONS: readonly ((input: MethodologyInput) => Section)[] = [
  measuredSection,
  outcomesSection,
  verificationSection,
  verifierErrorsSection,
  threatModelSection,
  isolationSection,
  findingsSection,
  progressSection,
  gateSection,
  thresholdsSection,
  labelsSection,
  provenanceSection,
  ratesSection,
  rankingSection,
  comparisonSection,
  costSection,
  passKSection,
  tasksSection,
  exposureSection,
  voidsSection,
  plannerSection,
  faultsSection,
  browserSection,
  reportsSection,
  ledgerSection,
  episodeSection,
  simulationSection,
  errorsSection,
]

/**
 * The methodology page as data. Every number and every sentence about a rule or a statistic is read from `constants`,
 * which is what the code itself uses, so the page cannot drift. Pure.
 */
export function buildMethodology(input: MethodologyInput): Section[] {
  return SECTIONS.map((section) => section(input))
}
