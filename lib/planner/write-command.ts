import type { PlanDraft } from '#lib/domain/plan.ts'
import { reproduceLines } from '#lib/domain/reproduce-lines.ts'
import type { Suite } from '#lib/domain/suite.ts'
import type { PlanCommand } from '#lib/domain/views/planner-view.ts'

/** The shell lines that ask the command line the same question. */
export function writeCommand(plan: PlanDraft, suite: Suite): PlanCommand {
  const isScripted = plan.subject.kind === 'control'
  const command = isScripted ? null : (plan.command ?? 'YOUR-AGENT')
  const lines = reproduceLines({ ...plan, command }, suite)
  const asked = lines.map((line) =>
    line.startsWith('npx proofboard run ')
      ? `${line.replace('npx proofboard run ', 'npx proofboard plan ')} --explain`
      : line,
  )
  return { lines: asked, leftOut: isScripted ? [] : listLeftOut(plan) }
}

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
