import { OWN_ENV } from '../../process/own-env.ts'
import type { CommandOrder } from '../build-command.ts'
import type { Protocol } from '../protocols.ts'
import { subjectEnv } from '../subject-env.ts'

const PLACE = { home: '/episode/home', temporary: '/episode/tmp', runMark: 'run_sample-1' }

/** An order that is the same on every machine, but for what the machine's own environment may add. */
export function sampleOrder(
  protocol: Protocol | null,
  changes: Partial<CommandOrder> = {},
): CommandOrder {
  const { home, temporary } = PLACE
  return {
    protocol,
    model: 'model-x-1',
    prompt: 'Solve it.',
    endpoint:
      protocol === null
        ? { baseUrl: null, key: 'key-of-its-vendor' }
        : { baseUrl: 'http://127.0.0.1:8787/r/1', key: 'dummy-key' },
    binary: '/opt/agent',
    workspace: '/episode/sum',
    home,
    temporary,
    env: { ...subjectEnv(PLACE, OWN_ENV) },
    ...changes,
  }
}
