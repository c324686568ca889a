import { compareVerdict, mcNemarMethod, SIGN_FLIP_METHOD } from '../../statistics/index.ts'
import type { MethodologyConstants, MethodologyInput } from './methodology-constants.ts'
import {
  formula,
  type MethodologySection,
  number,
  paragraph,
  percentText,
  terms,
} from './methodology-constants.ts'

/** Comparison of rows and its verdicts. */
export function comparisonSection({
  constants: { comparison },
}: MethodologyInput): MethodologySection {
  const { alpha } = comparison
  return {
    id: 'comparison',
    title: 'Comparing entries',
    blocks: [
      paragraph(
        'Entries are compared on their common tasks with an exact paired test. The interval is of the same kind as that of a ' +
          'rate, with an unseen task that only the other entry solves, and the test decides on which side of zero it is. So ' +
          `interval and verdict always agree, and an additional success of A never lowers a bound. The two-sided level is ${percentText(alpha)}. With several pairs, ` +
          'p-values are adjusted together (Holm): the probability of any false verdict among them is at most that level. ' +
          'Each interval uses the adjusted level of its pair.',
      ),
      formula('d_{i} = a_{i} − b_{i},   difference = (d_{1} + … + d_{T}) / T'),
      terms('compare', [
        { key: 'exact', term: 'Several repetitions', text: SIGN_FLIP_METHOD },
        {
          key: 'single',
          term: 'One repetition per task',
          text: mcNemarMethod('the', 'T tasks'),
        },
      ]),
      paragraph(
        'The p-value is the share of sign patterns at least as far from zero. R is the number of significant pairs of m. ' +
          'S is the sum of the analyses of both entries, less one, and N the number of planned episodes of those that are unfinished, or one.',
      ),
      formula(
        'p = share of the 2^{T} sums |± d_{1} ± … ± d_{T}| ≥ |d_{1} + … + d_{T}|,   level of a pair: α / (m − max(R, 1) + 1) / c,   c = S (S + 1) N, or 1 for S = N = 1',
      ),
      paragraph(
        'The interval has the outer quantiles of the randomly weighted mean of the differences and the unseen task. Where the test is not ' +
          'significant, it is extended to zero. Where it is significant although the unseen task could outweigh it, the end beside zero is the smallest ' +
          'difference that the test does not reject, times the share of tasks that must be like those seen.',
      ),
      formula('share = (level / 2)^{1/T}'),
      paragraph('Possible verdicts:'),
      terms('verdict', verdicts(comparison)),
    ],
  }
}

/** Each verdict with the text that the comparison uses. */
function verdicts({ alpha, smallDifference }: MethodologyConstants['comparison']) {
  const speak = (difference: number, half: number, p: number) => {
    const tested = { difference, low: difference - half, high: difference + half, p }
    return compareVerdict(tested, alpha).text
  }
  return [
    {
      key: 'better',
      term: speak(smallDifference, 0, 0),
      text: 'The test is significant and A has the higher success rate.',
    },
    {
      key: 'worse',
      term: speak(-smallDifference, 0, 0),
      text: 'The test is significant and A has the lower success rate.',
    },
    {
      key: 'no-larger-than',
      term: speak(0, smallDifference, 1),
      text: `Not significant, and the entire interval lies within ${number(100 * smallDifference)} points of zero; the number is its larger bound.`,
    },
    {
      key: 'cannot-tell',
      term: speak(0, 1, 1),
      text: 'Not significant, and the interval is wider: the data are inconclusive.',
    },
  ]
}
