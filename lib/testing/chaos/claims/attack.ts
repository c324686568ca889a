import type { BoardRow } from '../../../domain/board/board-row.ts'
import type { Plan } from '../../../domain/record/plan.ts'
import { type ForgedRun, newRunId, type PlanChanges, type RunChanges } from './forge.ts'
import type { Answer, Ground, Sender } from './ground.ts'

/** What was done: answers of the door, and the runs that it let in. */
export type Played = {
  /** The answer to what the attack is about; null = nothing was refused, the row has to say it. */
  answer: Answer | null
  /** Runs that are kept now, in whose row the attack shows. */
  runIds: readonly string[]
}

/**
 * How an attack has to end. `refused`: the door says so. `labelled`: the row is no claim, by exactly these rules.
 * `shown`: the number stands, and the row itself says what was tried (null = it does not). `apart`: it is not on the
 * board. `harmless`: it was taken in, and nothing came of it.
 */
type Expected =
  | { end: 'refused'; words: RegExp }
  | { end: 'labelled'; codes: readonly string[] }
  | { end: 'shown'; find: (row: BoardRow, board: readonly BoardRow[]) => string | null }
  | { end: 'apart' }
  | { end: 'harmless' }

export type Attack = {
  name: string
  /** What it tries, in one sentence without its full stop. */
  tries: string
  expected: Expected
  play: (ground: Ground) => Promise<Played>
}

export const refused = (words: RegExp): Expected => ({ end: 'refused', words })
export const labelled = (...codes: string[]): Expected => ({ end: 'labelled', codes })

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

type Sent = Played & { by: Sender; plan: Plan; run: ForgedRun }

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
