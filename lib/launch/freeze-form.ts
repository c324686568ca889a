import { randomUUID } from 'node:crypto'
import { type FreezeAnswer, viewFrozen } from '#lib/domain/launch/frozen-view.ts'
import type { LaunchFields } from '#lib/domain/launch/launch-fields.ts'
import { freezeLaunch } from './freeze-launch.ts'

/** The dry run: freezes the plan without starting or storing anything. */
export async function freezeForm(fields: LaunchFields, now = new Date()): Promise<FreezeAnswer> {
  const frozen = await freezeLaunch(fields, now)
  if (!frozen.ok) return frozen
  const { plan, request, ...rest } = frozen
  const view = viewFrozen(plan, request, { ...rest, key: randomUUID() })
  return { ok: true, message: 'Plan ready. Nothing has started yet.', frozen: view }
}
