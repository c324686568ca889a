import { compareVerdict } from '../../statistics/compare-verdict.ts'
import { mcNemarMethod } from '../../statistics/mcnemar-difference.ts'
import { SIGN_FLIP_METHODS } from '../../statistics/sign-flip-curve.ts'
import type { MethodologyConstants, MethodologyInput } from '../methodology-constants.ts'
import { formula, number, percent, type Section, terms, text } from '../methodology-section.ts'

/** Two rows side by side, and in which words the result is told. */
export function comparisonSection({ constants: { comparison } }: MethodologyInput): Section {
  const { alpha, enumeratedTasks, random } = comparison
  return {
    id: 'comparison',
    title: 'Comparing rows',
    blocks: [
      text(
        'Rows are compared over their common tasks, task by task, by an exact test. The interval is of the same kind as a ' +
          'row’s, with an unseen task that only the other row solves, and the test decides on which side of zero it lies: so ' +
          `interval and verdict cannot disagree, and one more success of A never lowers an end. The two-sided level is ${percent(alpha)}; where several pairs are shown, ` +
          'their p-values are adjusted together (Holm): the probability of even one false verdict among them is at most that level. ' +
          'Each interval is made at the level its pair was judged at.',
      ),
      formula('d_{i} = a_{i} − b_{i},   difference = (d_{1} + … + d_{T}) / T'),
      terms('compare', [
        { key: 'exact', term: 'Several repetitions', text: SIGN_FLIP_METHODS.exact },
        {
          key: 'random',
          term: `Differences without a common step, more than ${enumeratedTasks} tasks`,
          text: SIGN_FLIP_METHODS.random(random),
        },
        {
          key: 'single',
          term: 'One repetition a task',
          text: mcNemarMethod('the', 'T'),
        },
      ]),
      text('The verdict is one of these:'),
      terms('verdict', verdicts(comparison)),
    ],
  }
}

/** Each verdict in the words that the comparison itself would choose. */
function verdicts({ alpha, smallDifference }: MethodologyConstants['comparison']) {
  const speak = (difference: number, half: number, p: number) => {
    const tested = { difference, low: difference - half, high: difference + half, p }
    return compareVerdict(tested, alpha).text
  }
  return [
    {
      key: 'better',
      term: speak(smallDifference, 0, 0),
      text: 'The test is significant and A solves more.',
    },
    {
      key: 'worse',
      term: speak(-smallDifference, 0, 0),
      text: 'The test is significant and A solves less.',
    },
    {
      key: 'no-larger-than',
      term: speak(0, smallDifference, 1),
      text: `Not significant, and the whole interval lies within ${number(100 * smallDifference)} points of no difference; the number is the interval’s far end.`,
    },
    {
      key: 'cannot-tell',
      term: speak(0, 1, 1),
      text: 'Not significant, and the interval reaches farther: the data allow both.',
    },
  ]
}
