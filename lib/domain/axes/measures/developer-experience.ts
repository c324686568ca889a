import type { AxisMeasure } from '../axis-measure.ts'

/** F: no episode records it; what is measured of libraries themselves stands in a table of its own. */
export const developerExperienceMeasure: AxisMeasure = {
  columns: [],
  covers: () => false,
  notes: () => [],
  absent: () =>
    'Nothing is measured of this axis yet: it takes lines of code, tool schemas and induced errors of libraries, which ' +
    'no episode records. For agents there is no integration code to count.',
}
