import { readAgentFile } from '../agents/load-agents.ts'
import type { PlanOptions } from './build-plan.ts'

/** The subject that the options mean: named, or the one of an agent file, or an ad-hoc command; null when they say none. */
export function nameSubject({ subject, agentFile, command }: Partial<PlanOptions>): string | null {
  if (subject !== undefined) return subject
  if (command !== undefined) return 'command'
  return agentFile === undefined ? null : readAgentFile(agentFile).name
}
