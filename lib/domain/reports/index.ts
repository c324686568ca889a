/** Public API of this module; other modules import only this file. */
export {
  ATTACK_CLASSES,
  type AttackClassId,
  type AttackOutcome,
  type AttackResult,
  type AuditDocument,
  type AuditedAttack,
  auditDocumentSchema,
  countAudit,
  countByClass,
  countCell,
  type ResultCounts,
  type SkippedAttack,
} from './attack-audit.ts'
export * from './axis-report.ts'
export * from './build-axis-report.ts'
export * from './health.ts'
export {
  type InducedError,
  type LibraryFact,
  type LibraryFacts,
  libraryFactsSchema,
} from './library-facts.ts'
export { countMeasured } from './library-table.ts'
export * from './methodology/findings.ts'
export {
  METHODOLOGY_CONSTANTS,
  type MethodologyInput,
} from './methodology/methodology-constants.ts'
export * from './methodology/methodology-response.ts'
export {
  openMethodology,
  openMethodologyIndex,
  type ReadMethodologyText,
} from './methodology/open-methodology.ts'
export {
  type Block,
  METHODOLOGY_SLUGS,
  type MethodologyPage,
  type MethodologySection,
  type MethodologySlug,
  parsePage,
  type TermItem,
} from './methodology/parse-page.ts'
export { describeThreats } from './methodology/threats.ts'
export * from './preview-text.ts'
