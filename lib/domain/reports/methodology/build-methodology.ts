import { changesSection } from './changes-section.ts'
import { comparisonSection } from './comparison-section.ts'
import {
  browserSection,
  faultsSection,
  findingsSection,
  progressSection,
  reportsSection,
  threatModelSection,
} from './environment-sections.ts'
import {
  eligibilitySection,
  episodeSection,
  labelsSection,
  ledgerSection,
  measuredSection,
  outcomesSection,
  provenanceSection,
  thresholdsSection,
} from './evidence-sections.ts'
import type { MethodologyInput, MethodologySection } from './methodology-constants.ts'
import { errorsSection, simulationSection } from './simulation-sections.ts'
import {
  costSection,
  passKSection,
  plannerSection,
  rankingSection,
  ratesSection,
  voidsSection,
} from './statistics-sections.ts'
import {
  exposureSection,
  isolationSection,
  tasksSection,
  verificationSection,
  verifierErrorsSection,
} from './task-sections.ts'

const SECTIONS: readonly ((input: MethodologyInput) => MethodologySection)[] = [
  measuredSection,
  outcomesSection,
  verificationSection,
  verifierErrorsSection,
  threatModelSection,
  isolationSection,
  findingsSection,
  progressSection,
  eligibilitySection,
  thresholdsSection,
  labelsSection,
  provenanceSection,
  ratesSection,
  rankingSection,
  comparisonSection,
  changesSection,
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
export function buildMethodology(input: MethodologyInput): MethodologySection[] {
  return SECTIONS.map((section) => section(input))
}
