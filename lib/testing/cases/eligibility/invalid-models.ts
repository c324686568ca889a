import type { EpisodeFact, ModelUsage } from '#lib/domain/record/index.ts'
import { changeEachEpisode, changeOneEpisode, type InvalidCase, isDriven } from './invalid-case.ts'

/** Builds an episode in which an undeclared helper model used 3 % of the tokens; `changes` apply to its share. */
export function withHelper(
  changes: Partial<ModelUsage> = {},
): Pick<EpisodeFact, 'modelObserved' | 'models'> {
  const parts = { calls: 1, toolCalls: 0, input: 900, output: 70 }
  const own = { ...parts, model: 'model-x-1', asked: ['model-x-1'], toolCalls: 1 }
  const helper = { ...parts, model: 'helper-y', asked: ['helper-y'], input: 20, output: 10 }
  return { modelObserved: ['model-x-1', 'helper-y'], models: [own, { ...helper, ...changes }] }
}

/** Uses of another model or another temperature than the plan's. */
export const INVALID_MODEL_CASES: readonly InvalidCase[] = [
  {
    code: 'model-observed',
    name: 'other model',
    applies: isDriven,
    spoil: changeOneEpisode(() => ({ modelObserved: ['model-x-1', 'model-x-1-mini'] })),
  },
  {
    code: 'model-observed',
    name: 'none observed',
    applies: isDriven,
    spoil: changeEachEpisode(() => ({ modelObserved: [] })),
  },
  {
    code: 'model-observed',
    name: 'two snapshots',
    applies: isDriven,
    spoil: changeEachEpisode((fact) => ({
      modelObserved: [`model-x-1-2026010${fact.repetition % 2}`],
    })),
  },
  {
    code: 'model-observed',
    name: 'another model in its place',
    applies: isDriven,
    spoil: changeOneEpisode(() => withHelper({ asked: ['model-x-1'] })),
  },
  {
    code: 'model-observed',
    name: 'an undeclared model with tools',
    applies: isDriven,
    spoil: changeOneEpisode(() => withHelper({ toolCalls: 1 })),
  },
  {
    code: 'model-observed',
    name: 'an undeclared model with most of the work',
    applies: isDriven,
    spoil: changeOneEpisode(() => withHelper({ input: 2000 })),
  },
  {
    code: 'temperature-sent',
    name: 'a temperature of the agent',
    applies: isDriven,
    spoil: changeOneEpisode(() => ({ temperaturesSent: [0.9, null] })),
  },
]
