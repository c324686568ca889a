import { resolve } from 'node:path'
import type { Command } from 'commander'
import { countSlots } from '#lib/domain/expand-plan.ts'
import { systemClock } from '../clock.ts'
import { writeAtomic } from '../store/write-atomic.ts'
import { buildPlan, type PlanOptions } from './build-plan.ts'
import { UsageError } from './cli-error.ts'
import { openIsolation } from './open-isolation.ts'
import { LazyGate, openSuite } from './open-suite.ts'
import { answer, answerJson } from './output.ts'
import { addPlanOptions } from './plan-options.ts'

type Options = Partial<PlanOptions> & { suite?: string; out?: string; json?: boolean }

/** `proofboard plan`: freezes what will be asked, before anything runs. */
export function addPlanCommand(program: Command): void {
  addPlanOptions(
    program
      .command('plan')
      .description('freeze a plan: suite, subject, settings and repetitions under one digest'),
  )
    .option('--out <plan.json>', 'where to write the plan', 'plan.json')
    .option('--json', 'one JSON object as the last line of stdout')
    .action(execute)
}

async function execute(options: Options): Promise<void> {
  const { suite: name, subject } = options
  if (!name || !(subject ?? options.command))
    throw new UsageError('say what to plan: --suite NAME --subject NAME')
  const gate = new LazyGate()
  try {
    const suite = await openSuite(name, gate)
    const plan = buildPlan(
      { ...options, subject: subject ?? 'command' } as PlanOptions,
      suite,
      systemClock.now(),
    )
    await openIsolation(plan)
    const path = resolve(options.out ?? 'plan.json')
    await writeAtomic(path, `${JSON.stringify(plan, null, 2)}\n`)
    const episodes = countSlots(plan)
    if (options.json) answerJson({ planDigest: plan.planDigest, planPath: path, episodes, plan })
    else answer(`${episodes} episodes frozen as ${plan.planDigest}\n${path}`)
  } finally {
    await gate.close()
  }
}
