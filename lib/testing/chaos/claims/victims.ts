import { runViewSchema } from '#lib/domain/api/run-view.ts'
import type { BoardRow } from '#lib/domain/board/index.ts'
import { isFrozen, type Plan } from '#lib/domain/record/index.ts'
import { waitUntil } from '../../e2e/start-copy.ts'
import { mustRegister, mustSend } from './attack.ts'
import type { AttackedBoard, AttackSender } from './attacked-board.ts'
import { HONEST_SUBJECT } from './attacks/identity.ts'
import { newRunId } from './forge.ts'

type Victim = { plan: Plan; runId: string }
/** Honest rows, which must be ranked before and after all attacks. */
export type Victims = {
  honest: Victim & { rowId: string }
  workflow: Victim
  /** One half is stored; the other half follows after the attacks. */
  unfinished: Victim
  /** Registered, and sent after the attacks. */
  owed: Victim
  /** A control that this server ran. */
  local: Victim
}

export type VictimRows = {
  victims: Victims
  before: ReadonlyMap<string, string>
  /** Uploads the remaining results; returns the stored runs. */
  finish: () => Promise<string[]>
}

/**
 * Uploads honest results and waits until they are ranked. Throws if one is not, because attacks would prove nothing.
 */
export async function sendVictims(ground: AttackedBoard): Promise<VictimRows> {
  await ground.runHere('reference')
  const [alice, bob, carol] = await Promise.all(
    ['alice', 'bob', 'carol'].map((name) => ground.token(name)),
  )
  const honest = await sendOne(ground, alice as AttackSender, HONEST_SUBJECT)
  const workflow = await sendOne(ground, ground.workflow(), 'workflow-agent')
  const unfinished = await sendOne(
    ground,
    bob as AttackSender,
    'unfinished-agent',
    ({ index }) => index < 5,
  )
  const owed = { plan: ground.plan('owed-agent'), runId: newRunId() }
  await mustRegister(ground, carol as AttackSender, {
    plan: owed.plan,
    runs: [{ runId: owed.runId }],
  })
  const local = await waitUntil('a row of this server', () => findLocal(ground), {
    limitMs: 300_000,
  })
  const sent = [honest, workflow, unfinished].map((one) => one.runId)
  const board = await ground.settledBoard((now) => areOpen(now.rows, sent), 600_000)
  for (const { runId } of [honest, workflow]) mustBeClaim(board.rows, runId)
  const row = rowOf(board.rows, honest.runId)
  const victims = {
    honest: { ...honest, rowId: row?.rowId ?? '' },
    workflow,
    unfinished,
    owed,
    local,
  }
  const runIds = [honest, workflow, unfinished, local].map(({ runId }) => runId)
  const before = new Map(runIds.map((runId) => [runId, describe(rowOf(board.rows, runId))]))
  // If an attacker was first, the rest is refused, and the victim stays unranked.
  const finish = async () => {
    const rest = ground.run(unfinished.plan, { ...unfinished, startedAt: unfinished.startedAt })
    const whole = ground.run(owed.plan, { runId: owed.runId, startedAt: new Date() })
    const answers = [
      await ground.send(bob as AttackSender, rest),
      await ground.send(carol as AttackSender, whole),
    ]
    return [rest, whole].flatMap(({ runId }, at) => (answers[at]?.status === 201 ? runId : []))
  }
  return { victims, before, finish }
}

export function rowOf(rows: readonly BoardRow[], runId: string): BoardRow | undefined {
  return rows.find(({ runIds }) => runIds.includes(runId))
}

/** True while one of these runs is on no board, or waits for its evaluation. */
export function areOpen(rows: readonly BoardRow[], runIds: readonly string[]): boolean {
  return runIds.some((runId) => (rowOf(rows, runId)?.evaluatedHere?.pending ?? 1) > 0)
}

/** Properties of the row itself; its rank may change with other rows. */
export function describe(row: BoardRow | undefined): string {
  if (!row) return 'not on the board'
  const {
    rowId,
    label,
    refusals,
    success,
    runIds,
    tasks,
    registration,
    plannedEpisodes,
    evaluatedHere,
  } = row
  return JSON.stringify([
    rowId,
    label,
    refusals,
    success,
    runIds,
    tasks,
    registration,
    plannedEpisodes,
    evaluatedHere,
  ])
}

export function mustBeClaim(rows: readonly BoardRow[], runId: string): BoardRow {
  const row = rowOf(rows, runId)
  const why =
    row?.refusals.map(({ code, reason }) => `${code}: ${reason}`).join(' ') ?? 'it has no row'
  if (row?.label !== 'primary')
    throw new Error(
      `the honest run ${runId} is not a claim, so no sender can meet the rules: ${why}`,
    )
  return row
}

async function sendOne(
  ground: AttackedBoard,
  by: AttackSender,
  name: string,
  sends: (place: { index: number }) => boolean = () => true,
): Promise<Victim & { startedAt: Date }> {
  const plan = ground.plan(name)
  const runId = newRunId()
  await mustRegister(ground, by, { plan, runs: [{ runId }] })
  const startedAt = new Date()
  await mustSend(ground, by, ground.run(plan, { runId, sends, startedAt }))
  return { plan, runId, startedAt }
}

async function findLocal(ground: AttackedBoard): Promise<Victim | null> {
  const { rows } = await ground.board().catch(() => ({ rows: [] }))
  const row = rows.find(({ provenance }) => provenance === 'local')
  const [runId] = row?.runIds ?? []
  if (!row || runId === undefined || row.success.attempts < 2) return null
  const { plan } = runViewSchema
    .pick({ plan: true })
    .parse(await ground.get(`/api/v1/runs/${runId}`))
  if (!isFrozen(plan)) throw new Error(`${runId} has no frozen plan`)
  return { plan, runId }
}
