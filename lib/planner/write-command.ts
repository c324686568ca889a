import type { PlanDraft } from '#lib/domain/plan.ts'
import { reproduceLines } from '#lib/domain/reproduce-lines.ts'
import type { Suite } from '#lib/domain/suite.ts'
import type { PlanCommand } from '#lib/domain/views/planner-view.ts'

/** The shell lines that ask the command line the same question. */
export function writeCommand(plan: PlanDraft, suite: Suite): PlanCommand {
  const lines = reproduceLines(plan, suite)
  const asked = lines.map((line) =>
    line.startsWith('npx proofboard run ')
      ? `${withoutLevel(line).replace('npx proofboard run ', 'npx proofboard plan ')} --explain`
      : line,
  )
  return { lines: asked, leftOut: plan.command === null ? [] : listLeftOut(plan) }
}

/** The machine that freezes the plan chooses the strongest level it has. */
function withoutLevel(line: string): string {
  return line.replace(/ --isolation (bubblewrap|docker|local)(?= |$)/, '')
}

/** Pins that an agent started by `--command` takes no option for: nobody could keep them. */
function listLeftOut({ subject, settings }: PlanDraft): string[] {
  const asked: Record<string, unknown> = {
    model: subject.modelRequested,
    steps: settings.maxSteps,
    tokens: settings.maxTokens,
    cost: settings.maxCostMicroUsd,
    temperature: settings.temperature,
  }
  return Object.keys(asked).filter((name) => asked[name] !== null)
}
