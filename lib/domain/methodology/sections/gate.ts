import { evidenceLabelSchema } from '../../board/board-row.ts'
import { PROVENANCE_LEVELS } from '../../board/episode-fact.ts'
import type { Thresholds } from '../../eligibility/policy.ts'
import type { MethodologyInput } from '../methodology-constants.ts'
import { percent, type Section, terms, text } from '../methodology-section.ts'

/** The headline gate: every rule with its demand under the policy. */
export function gateSection({ constants: { policy, rules } }: MethodologyInput): Section {
  return {
    id: 'gate',
    title: 'The headline gate',
    blocks: [
      text(
        'A row is a claim only when every rule is met; a refused row says which rule, why, and what would mend it. ' +
          'Rules marked seed come from the document this board was built on and may not be weakened. ' +
          `This is policy version ${policy.version}; every plan and board names the version it was made under.`,
      ),
      terms(
        'gate',
        rules.map(({ code, fromSeed, demand }) => ({
          key: code,
          text: demand(policy),
          mark: fromSeed ? 'seed' : null,
        })),
      ),
    ],
  }
}

const THRESHOLD_WORDS: Record<keyof Thresholds, string> = {
  aggregateEpisodes: 'Scored episodes for an aggregate, at least',
  perTaskEpisodes: 'Scored episodes for a claim or chart about one task, at least',
  voidShare: 'Share of void episodes, at most',
}

/** The policy's thresholds, and those of suites that ask for more. */
export function thresholdsSection({ constants, suites }: MethodologyInput): Section {
  const { thresholds } = constants.policy
  const names = Object.keys(THRESHOLD_WORDS) as (keyof Thresholds)[]
  const stricter = suites.filter((suite) =>
    names.some((name) => suite.thresholds[name] !== thresholds[name]),
  )
  return {
    id: 'thresholds',
    title: 'Thresholds',
    blocks: [
      {
        kind: 'table',
        caption: 'Thresholds of the policy and of stricter suites',
        head: ['Threshold', 'Policy', ...stricter.map(({ title }) => title)],
        rows: names.map((name) => [
          THRESHOLD_WORDS[name],
          ...[{ thresholds }, ...stricter].map((one) => show(name, one.thresholds[name])),
        ]),
      },
      text(
        stricter.length > 0
          ? 'A suite’s own threshold holds on its board where it is stricter, and only there.'
          : 'A suite may set stricter thresholds of its own; none of the suites here does.',
      ),
    ],
  }
}

function show(name: keyof Thresholds, value: number): string {
  return name === 'voidShare' ? percent(value) : String(value)
}

/** The labels a row can carry. */
export function labelsSection({ words }: MethodologyInput): Section {
  return {
    id: 'labels',
    title: 'Labels',
    blocks: [
      text(
        'The gate gives every row one label. Rules decide it in this order: a refused mode makes a row scaffold; too few ' +
          'samples and nothing else make it smoke; any other refusal makes it diagnostic. Only claims are ranked.',
      ),
      terms(
        'label',
        evidenceLabelSchema.options.map((label) => ({
          key: label,
          term: words.labels[label].word,
          text: words.labels[label].meaning,
        })),
      ),
    ],
  }
}

/** Who vouches for an episode. */
export function provenanceSection({ constants, words }: MethodologyInput): Section {
  const { weakestProvenance } = constants.policy
  return {
    id: 'provenance',
    title: 'Provenance',
    blocks: [
      text(
        `Who vouches for an episode, weakest first. A row shows its weakest; a claim needs ${words.provenance[weakestProvenance].level} or above.`,
      ),
      terms(
        'provenance',
        PROVENANCE_LEVELS.map((name) => {
          const { level, word, meaning } = words.provenance[name]
          return { key: name, term: `${level} ${word}`, text: meaning }
        }),
      ),
      text(
        `Stored solutions of episodes that did not run here, uploads by administrators included, are evaluated again by this server, inside bubblewrap and nowhere else, by its own copy of the suite’s tests with new held-out inputs. Another verdict has to come true twice. Trouble of the verifier itself is tried ${constants.evaluationTries} times. A browser workflow cannot be evaluated again and rests on its sender.`,
      ),
    ],
  }
}
