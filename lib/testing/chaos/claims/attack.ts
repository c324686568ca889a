import type { BoardRow } from '../../../domain/board/index.ts'
import type { Plan } from '../../../domain/record/index.ts'
import type { AttackedBoard, AttackSender, ServerResponse } from './attacked-board.ts'
import { type ForgedRun, newRunId, type PlanChanges, type RunChanges } from './forge.ts'

/** The result of an attack: the server's responses, and the runs that it accepted. */
export type PlayedAttack = {
  /** The decisive response; null = nothing was refused, and the row has to show the attack. */
  answer: ServerResponse | null
  /** Stored runs, in whose row the attack shows. */
  runIds: readonly string[]
}

/**
 * The required result of an attack. `refused`: the server refuses it. `labelled`: the row is unranked, by exactly these
 * rules. `shown`: the row itself reports the attempt next to its number; null = it does not; `page` is its part of the
 * board's page, as text. `apart`: not on the board. `harmless`: accepted, without any effect.
 */
type Expected =
  | { end: 'refused'; words: RegExp }
  | { end: 'labelled'; codes: readonly string[] }
  | {
      end: 'shown'
      find: (row: BoardRow, board: readonly BoardRow[], page: string) => string | null
    }
  | { end: 'apart' }
  | { end: 'harmless' }

export type BoardAttack = {
  name: string
  /** Describes the attack in one sentence without a full stop. */
  tries: string
  expected: Expected
  play: (ground: AttackedBoard) => Promise<PlayedAttack>
}

export const expectRefused = (words: RegExp): Expected => ({ end: 'refused', words })
export const expectLabelled = (...codes: string[]): Expected => ({ end: 'labelled', codes })

type Sending = {
  plan?: PlanChanges
  run?: RunChanges
  as?: 'zip' | 'bundle'
  by?: AttackSender
}

/** Registers a plan honestly and runs it: the attack is only in what is reported differently. */
export async function sendRegistered(
  ground: AttackedBoard,
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

/** Registers a plan and uploads a run of it; returns the refusal of the registration if there is one. */
export async function sendIfRegistered(
  ground: AttackedBoard,
  by: AttackSender,
  plan: Plan,
  changes: RunChanges = {},
): Promise<PlayedAttack> {
  const runId = newRunId()
  const registered = await ground.register(by, { plan, runs: [{ runId }] })
  if (registered.status !== 201) return { answer: registered, runIds: [] }
  const run = ground.run(plan, { runId, startedAt: new Date(), ...changes })
  return playedOf(await ground.send(by, run), run)
}

type Sent = PlayedAttack & { by: AttackSender; plan: Plan; run: ForgedRun }

/** Pairs the server's response with the runs that it accepted. */
export function playedOf(
  answer: ServerResponse,
  ...runs: readonly Pick<ForgedRun, 'runId'>[]
): PlayedAttack {
  const isKept = answer.status === 201
  return { answer, runIds: isKept ? runs.map(({ runId }) => runId) : [] }
}

export async function mustRegister(
  ground: AttackedBoard,
  by: AttackSender,
  request: Record<string, unknown>,
): Promise<void> {
  const { status, text } = await ground.register(by, request)
  if (status !== 201) throw new Error(`the registration was refused: ${text}`)
}

export async function mustSend(
  ground: AttackedBoard,
  by: AttackSender,
  run: ForgedRun,
): Promise<void> {
  const { status, text } = await ground.send(by, run)
  if (status !== 201) throw new Error(`the run was refused: ${text}`)
}
