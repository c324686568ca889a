import { AXES, AXIS_ROLES } from '../../axes/axes.ts'
import type { MethodologyInput } from '../methodology-constants.ts'
import { type Section, terms, text } from '../methodology-section.ts'

/** Faults and recovery; the rules are the gate's own. */
export function faultsSection({ constants: { policy, rules } }: MethodologyInput): Section {
  const own = rules.filter(({ code }) => code.startsWith('fault-'))
  return {
    id: 'faults',
    title: 'Faults and recovery',
    blocks: [
      text(
        'A fault is planned at a named point of an episode. Recovery means that the fault fired and the same final contract ' +
          'still passed within the same limits. Episodes with a planned fault make rows of their own and are never mixed ' +
          'with plain ones. The recovery rate is taken over fired faults, task by task, with the interval of any rate.',
      ),
      terms(
        'fault-rule',
        own.map(({ code, demand, fromSeed }) => ({
          key: code,
          text: demand(policy),
          mark: fromSeed ? 'seed' : null,
        })),
      ),
    ],
  }
}

/** The axes of the reports. */
export function reportsSection(): Section {
  return {
    id: 'reports',
    title: 'Reports',
    blocks: [
      text(
        'Task completion comes first; the other axes explain it and do not replace it. While a suite has no primary ' +
          'task-completion claim, all its reports are supporting diagnostics and say so.',
      ),
      terms(
        'axis',
        AXES.map(({ slug, letters, title, role, why }) => ({
          key: slug,
          term: [letters.join('/'), title].filter(Boolean).join(' · '),
          text: why,
          mark: AXIS_ROLES[role],
        })),
      ),
    ],
  }
}
