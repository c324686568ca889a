import type { FrozenPlan } from '#lib/domain/plan.ts'
import type { Played } from '../attack.ts'
import { type ForgedRun, newRunId, type PlanChanges, type RunChanges } from '../forge.ts'
import type { Answer, Ground, Sender } from '../ground.ts'

type Sending = {
  plan?: PlanChanges
  run?: RunChanges
  as?: 'zip' | 'bundle'
  by?: Sender
}

/** Registers a plan honestly and runs it: what is told otherwise is the whole attack. */
export async function sendRegistered(
  ground: Ground,
  name: string,
  sending: Sending = {},
): Promise<Sent> {
  const by = sending.by ?? (await ground.token(name))
  const plan = ground.plan(name, sending.plan)
  const runId = sending.run?.runId ?? newRunId()
  await mustRegister(ground, by, { plan, runs: [{ runId }] })
  const run = ground.run(plan, { runId, startedAt: new Date(), ...sending.run })
  const answer = await ground.send(by, run, sending.as)
  return { by, plan, run, ...playedOf(answer, run) }
}

type Sent = Played & { by: Sender; plan: FrozenPlan; run: ForgedRun }

/** The door's answer beside the runs that it let in. */
export function playedOf(answer: Answer, ...runs: readonly Pick<ForgedRun, 'runId'>[]): Played {
  const isKept = answer.status === 201
  return { answer, runIds: isKept ? runs.map(({ runId }) => runId) : [] }
}

export async function mustRegister(
  ground: Ground,
  by: Sender,
  request: Record<string, unknown>,
): Promise<void> {
  const { status, text } = await ground.register(by, request)
  if (status !== 201) throw new Error(`the registration was refused: ${text}`)
}

export async function mustSend(ground: Ground, by: Sender, run: ForgedRun): Promise<void> {
  const { status, text } = await ground.send(by, run)
  if (status !== 201) throw new Error(`the run was refused: ${text}`)
}
