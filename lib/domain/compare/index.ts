/** The public face of this module: other rooms import from here alone. */
export { type AgainstBaseline, againstBaseline, type RowAgainst } from './against-baseline.ts'
export { buildComparison, rowTaskCounts } from './build-comparison.ts'
export {
  comparePath,
  FEWEST_COMPARED_ROWS,
  isClaim,
  MOST_COMPARED_ROWS,
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
  type MeasuredDifference,
  type PairView,
  type TaskCell,
  type VersionDifference,
  type VersionRows,
} from './comparison.ts'
export { refuseComparison } from './comparison-eligibility.ts'
export { formatDifference, formatLevel, formatP, nameRows } from './format-comparison.ts'
