import type { FrozenPlan } from '#lib/domain/plan.ts'
import type { GatewayHouse } from '../agents/gateway-house.ts'
import { plannedSubject } from '../controls/find-subject.ts'
import { exerciseArena } from '../exercise-arena.ts'
import type { Isolation } from '../isolation/isolation.ts'
import type { LoadedSuite } from '../suites/load-suite.ts'
import { type OpenedArena, openWorkflowArena } from '../workflow/open-workflow-arena.ts'
import { UsageError } from './cli-error.ts'
import type { LazyGate } from './open-suite.ts'
import { complain } from './output.ts'

type House = GatewayHouse & { isolation: Isolation; gate: LazyGate; agentFile: string | null }

/** The arena that a plan's suite asks for, with its subject ready to act. Throws before anything runs. */
export async function openArena(
  plan: FrozenPlan,
  suite: LoadedSuite,
  { isolation, gate, agentFile, ...gateway }: House,
): Promise<OpenedArena> {
  if (suite.kind === 'browser') return openWorkflowArena(plan, suite, gateway)
  const driver = await plannedSubject(plan, agentFile, gateway)
  const refusal = (await driver.findUnreachable?.(isolation)) ?? null
  if (refusal !== null) throw new UsageError(refusal)
  const arena = exerciseArena(driver, { gate: gate.get(), isolation })
  const { verifier, weakness } = await gate.get().describe()
  if (weakness !== null) complain(weakness)
  return { arena, browser: null, libraries: {}, verifier }
}
