import {
  type Block,
  type MethodologyInput,
  paragraph,
  percentText,
} from './methodology-constants.ts'
import { shareOrNone, sizeLabel } from './simulation-words.ts'

type Errors = MethodologyInput['constants']['errors']

/** How often arms of one plan are called better or worse, in simulated experiments. */
export function armBlocks({ goals, record }: Errors): Block[] {
  return [
    paragraph(
      'Arms of one plan (skills, rules, MCP servers, prompts, settings, versions) are compared with its baseline, task by task, ' +
        'with all pairs corrected together. In the simulation every arm has the effect of the first column; without an effect ' +
        `any verdict is false, which should happen in at most ${percentText(goals.arms)} of the experiments.`,
    ),
    {
      kind: 'table',
      caption: 'Experiments with arms',
      head: [
        'True effect',
        'Tasks × repetitions',
        'Arms beside the baseline',
        'Any arm “better”',
        'Any arm “worse”',
        'Experiments',
      ],
      rows: record.arms.map((one) => [
        one.effect === 0 ? 'none (A/A)' : `+${100 * one.effect} points`,
        sizeLabel(one),
        String(one.arms),
        shareOrNone(one.better),
        shareOrNone(one.worse),
        String(one.rounds),
      ]),
    },
  ]
}
