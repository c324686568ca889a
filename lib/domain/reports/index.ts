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
export {
  AXES,
  AXIS_ROLES,
  AXIS_SLUGS,
  type Axis,
  type AxisColumn,
  type AxisReport,
  type AxisRow,
  type AxisSlug,
  type AxisUnit,
  type AxisValue,
  axisReportSchema,
  axisSchema,
  type ColumnRole,
  type FaultCell,
  type FaultGroup,
  type FaultRow,
  type LibraryRow,
  type LibraryTableReport,
} from './axis-report.ts'
export {
  axisTable,
  buildAxisReport,
  buildAxisReports,
  countMeasuredRows,
  reportSections,
  SUPPORTING_ONLY,
} from './build-axis-report.ts'
export {
  type DataSizes,
  type DiskState,
  type Health,
  healthSchema,
  judgeDisk,
  listProblems,
} from './health.ts'
export {
  type InducedError,
  type LibraryFact,
  type LibraryFacts,
  libraryFactsSchema,
} from './library-facts.ts'
export { countMeasured } from './library-table.ts'
export { FINDINGS } from './methodology/findings.ts'
export {
  METHODOLOGY_CONSTANTS,
  type MethodologyInput,
} from './methodology/methodology-constants.ts'
export { methodologyResponseSchema } from './methodology/methodology-response.ts'
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
export {
  type ComparisonPreview,
  comparisonPreview,
  drawable,
  type RowPreview,
  rowPreview,
  type WhiskerPosition,
} from './preview-text.ts'
