/** Public API of this module; other modules import only this file. */
export {
  type AgainstBaseline,
  againstBaseline,
  type RowAgainst,
  spentOf,
} from './against-baseline.ts'
export { compareArms } from './arm-effects.ts'
export type { ArmEffect, ArmsView } from './arms-view.ts'
export { buildComparison, rowTaskCounts } from './build-comparison.ts'
export {
  comparePath,
  isClaim,
  MAX_COMPARED_ROWS,
  MIN_COMPARED_ROWS,
  parseRowIds,
} from './compare-path.ts'
export {
  type ComparedRow,
  type ComparedSuite,
  type Comparison,
  type ComparisonEligibility,
  type ComparisonInput,
  type ComparisonRefusal,
  type ComparisonRefusalCode,
  type ComparisonView,
  comparisonViewSchema,
  type FlippedTask,
  type PairView,
  type TaskCell,
  type VersionDifference,
  type VersionRows,
} from './comparison.ts'
export { refuseComparison } from './comparison-eligibility.ts'
export {
  COMPARISON_FORMATS,
  type ComparisonFormat,
  exportComparison,
} from './export-comparison.ts'
export { formatActivation, formatArms, formatCostPerGain } from './format-arms.ts'
export { formatVerdict, levelsOf, nameRows } from './format-comparison.ts'
export type { MeasuredDifference } from './measured-difference.ts'
export { formatP } from './measured-difference.ts'
