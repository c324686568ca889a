import type { MethodologyInput } from '../methodology-constants.ts'
import { formula, type Section, terms, text } from '../methodology-section.ts'

/** How often the verifier itself is wrong. */
export function verifierErrorsSection(): Section {
  return {
    id: 'verifier-errors',
    title: 'Verifier error rate',
    blocks: [
      text(
        'A rate is only as good as what judges it. Each suite’s page shows both kinds of error, as far as they can be measured ' +
          'without people.',
      ),
      terms('verifier-error', [
        {
          key: 'false-negative',
          term: 'False negatives',
          text:
            'A correct solution that is not passed. Measured by runs of the tasks’ own references on this server, the control ' +
            '“reference”: every one that was not solved is an error of the verifier, the harness or the task. The page gives the ' +
            'count, the number of runs and the exact interval of Clopper and Pearson, which still says something after no ' +
            'failure at all.',
        },
        {
          key: 'false-positive',
          term: 'False positives',
          text:
            'A wrong solution that is passed. Nobody can list all wrong solutions; mutants stand in for them. Their surviving ' +
            'share is a proxy: some survivors behave exactly like the reference, and an agent’s mistakes are not small edits.',
        },
        {
          key: 'honest',
          term: 'Honest solutions',
          text: 'Solutions written without sight of tests and reference have to pass before a suite is shipped; they are a second check on false negatives.',
        },
      ]),
    ],
  }
}

/** How much a rate rests on single tasks, and what the tasks are worth. */
export function tasksSection({ constants: { fewestRows } }: MethodologyInput): Section {
  return {
    id: 'tasks',
    title: 'What rests on single tasks',
    blocks: [
      terms('tasks', [
        {
          key: 'leave-one-out',
          term: 'One task or category left out',
          text:
            'An open row shows the lowest and the highest rate that it would have without one task, and without one whole ' +
            'category, and names them. It is a range of what was measured, not an interval: a wide one says that the rate hangs on few tasks.',
        },
        {
          key: 'dead',
          term: 'Dead tasks',
          text: 'Solved by every row every time, or by no row ever: they tell no rows apart. Ranked rows count, and rows of models that this server ran.',
        },
        {
          key: 'discrimination',
          term: 'Discrimination',
          text:
            'The correlation, over rows, of success on the task with the mean success on all other tasks. Below zero, weak rows ' +
            `solve the task more often than strong ones, which is worth a look at the task. With fewer than ${fewestRows} rows nothing is said.`,
        },
      ]),
      formula('discrimination_{t} = corr( m_{t}, mean of m_{u} over all u ≠ t )   over rows'),
    ],
  }
}

/** Tasks that a model may have seen in training. */
export function exposureSection({ constants: { knownCutoffs } }: MethodologyInput): Section {
  return {
    id: 'exposure',
    title: 'Tasks and training data',
    blocks: [
      text(
        'A task that was public before a model’s training ended may have been learnt. Where both dates are known, a row says ' +
          'how many of its tasks were public by then; where one is missing, it says so. No rule refuses a row for it: being ' +
          'public is not the same as having been learnt.',
      ),
      terms('exposure', [
        {
          key: 'released',
          term: 'Release date',
          text:
            'The day since which a task has been public: of a suite here, the day its first version was committed; of an imported ' +
            'track, the first commit of the exercise’s folder, or unknown where the history is missing. It is no part of a task’s digest.',
        },
        {
          key: 'cutoff',
          term: 'Cut-off',
          text:
            `What the model’s vendor says, with its source, for ${knownCutoffs} models by exact name. More can be put into the file ` +
            'model-cutoffs.json of the data folder. A model that is in neither has an unknown cut-off.',
        },
        {
          key: 'kind',
          term: 'Training and knowledge cut-off',
          text:
            'A knowledge cut-off is the date up to which knowledge is called reliable. Training data may reach beyond it, and ' +
            'later training may have seen the tasks, so “newer than the cut-off” is weaker than “never seen”.',
        },
        {
          key: 'month',
          term: 'Months',
          text: 'A cut-off that names a month means its last day, so a task of that month counts as public before it.',
        },
      ]),
    ],
  }
}
