import { getBoard } from '#lib/board/get-board.ts'
import { database } from '#lib/db/database.ts'
import { listPastEpisodes } from '#lib/db/past-store.ts'
import { priceUsage } from '#lib/domain/cost/price-usage.ts'
import { POLICY_VERSION } from '#lib/domain/eligibility/policy.ts'
import { chooseTasks } from '#lib/domain/launch/check-launch.ts'
import type { LaunchChoices, SubjectChoice } from '#lib/domain/launch/launch-choices.ts'
import type { LaunchRequest } from '#lib/domain/launch/parse-launch.ts'
import type { PlanDraft, Settings } from '#lib/domain/plan.ts'
import { type Explanation, explainPlan } from '#lib/domain/planner/explain-plan.ts'
import { countPool, findOwnRow } from '#lib/domain/planner/find-own-row.ts'
import type { Suite } from '#lib/domain/suite.ts'

/** What nobody can choose on the page, as the command line has it. */
const OTHER_SETTINGS = { diskQuotaBytes: 512 << 20, maxAttempts: 3, seed: 1 } as const

/** What the request could show and what it takes, by what ran here before; nothing is frozen. */
export async function explainLaunch(
  request: LaunchRequest,
  { suite, choices }: { suite: Suite; choices: LaunchChoices },
  now: string,
): Promise<Explanation> {
  const plan = draftOf(request, suite, choices)
  const board = await getBoard(suite.suiteId)
  return explainPlan({
    plan,
    suite,
    own: findOwnRow(board?.rows ?? [], plan.subject),
    rival: null,
    poolRows: countPool(board?.rows ?? [], plan.subject),
    past: await listPastEpisodes(database(), suite.suiteId),
    price: priceUsage,
    concurrency: request.concurrency,
    now,
  })
}

/** The plan as far as it is known before the runner resolves versions. */
function draftOf(request: LaunchRequest, suite: Suite, choices: LaunchChoices): PlanDraft {
  const { subject: name, provider, model, repetitions, pins, fault, isCold } = request
  const subject = choices.subjects.find((one) => one.name === name)
  const chosen = chooseTasks(request, choices.suite?.tasks ?? []).map(({ taskId }) => taskId)
  const tasks = suite.tasks.filter(({ taskId }) => chosen.includes(taskId))
  return {
    suiteId: suite.suiteId,
    suiteDigest: suite.digest,
    tasks: tasks.map(({ taskId, digest, category }) => ({ taskId, digest, category })),
    subject: {
      kind: subject?.kind ?? 'agent',
      ...{ name, version: subject?.version ?? null, adapterVersion: null },
      ...{ provider, modelRequested: model },
    },
    command: null,
    repetitions,
    settings: {
      isolation: levelOf(request, choices, subject?.kind),
      ...pins,
      ...OTHER_SETTINGS,
      ...(fault !== null && { fault }),
      ...(suite.kind === 'browser' && { browser: isCold ? 'cold' : 'reused' }),
    },
    policyVersion: POLICY_VERSION,
  }
}

/** What `auto` comes to here; the runner says it again when it freezes the plan. */
function levelOf(
  { isolation }: LaunchRequest,
  choices: LaunchChoices,
  kind: SubjectChoice['kind'] = 'agent',
): Settings['isolation'] {
  if (isolation !== 'auto') return isolation
  return kind === 'agent' ? (choices.isolation?.level ?? 'local') : 'local'
}
