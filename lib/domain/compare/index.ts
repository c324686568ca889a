/** The public face of this module: other rooms import from here alone. */
export { type AgainstBaseline, againstBaseline, type RowAgainst } from './against-baseline.ts'
export { buildComparison, rowTaskCounts } from './build-comparison.ts'
export {
  type ComparedRow,
  type Comparison,
  type ComparisonEligibility,
  type ComparisonInput,
  type ComparisonRefusal,
  type ComparisonRefusalCode,
  type ComparisonView,
  comparePath,
  comparisonViewSchema,
  FEWEST_COMPARED_ROWS,
  type FlippedTask,
  isClaim,
  type MeasuredDifference,
  MOST_COMPARED_ROWS,
  type PairView,
  parseRowIds,
  type TaskCell,
  type VersionDifference,
  type VersionRows,
} from './comparison.ts'
export { refuseComparison } from './comparison-eligibility.ts'
export { formatDifference, formatLevel, formatP, nameRows } from './format-comparison.ts'
