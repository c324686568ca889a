import type { AxisMeasure } from '../axis-measure.ts'

/** F: nothing is recorded yet, and nothing is made up. */
export const developerExperienceMeasure: AxisMeasure = {
  columns: [],
  covers: () => false,
  notes: () => [],
  absent: () =>
    'Nothing is known of this axis yet: an episode records neither the lines of code a subject needs, nor its schemas, ' +
    'nor how far its errors help. For agents there is no integration code to count.',
}
