import type { MethodologyInput, MethodologySection } from './methodology-constants.ts'
import { formula, paragraph, percentText, terms } from './methodology-constants.ts'

/** When two measurements of the same entry count as a change: history pages and feeds. */
export function changesSection({
  constants: { comparison, ranking },
}: MethodologyInput): MethodologySection {
  const level = percentText(comparison.alpha)
  return {
    id: 'changes',
    title: 'Changes over time',
    blocks: [
      paragraph(
        'History pages and feeds report a change only if a test finds one, never because two points differ. Consecutive ' +
          'entries of one series are tested: the same agent, model, provider, settings and sender, on the same suite. ' +
          'Version, date and suite version can differ and are named.',
      ),
      terms('change', [
        {
          key: 'paired',
          term: 'Same tasks',
          text: `The paired test of comparisons, over the tasks that are identical in both versions of the suite, if there are at least ${ranking.fewestTasks}.`,
        },
        {
          key: 'unpaired',
          term: 'Different tasks',
          text: 'An interval for the difference, made from the intervals of both rates (method of variance estimates recovery, MOVER). The p-value is the smallest level at which it excludes zero.',
        },
        {
          key: 'many',
          term: 'Many tests',
          text: `All tests of this server are adjusted together (Holm): the probability of any false change in a feed is at most ${level}, and so it is in the part of it about one suite or one agent. Interim analyses are paid for as in comparisons.`,
        },
        {
          key: 'later',
          term: 'Later',
          text: 'A change that is no longer significant, because more changes were tested or an entry was corrected, leaves the feed.',
        },
      ]),
      formula(
        'low: (b − a) − √((b − b_{low})² + (a_{high} − a)²),   high: (b − a) + √((b_{high} − b)² + (a − a_{low})²)',
      ),
    ],
  }
}
