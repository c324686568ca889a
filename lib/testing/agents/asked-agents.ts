import { settingsSchema } from '#lib/domain/plan.ts'
import type { Level } from './real-agents.ts'

/** What `npm run test:agents` and `npm test` ask for, by environment: agents (null = all measured ones) and levels. */
export function askedAgents(): { names: string[] | null; levels: Level[] } {
  const names = list(process.env.PROOFBOARD_TEST_AGENTS)
  const levels = list(process.env.PROOFBOARD_TEST_ISOLATION) ?? ['local', 'bubblewrap']
  return { names, levels: levels.map((level) => settingsSchema.shape.isolation.parse(level)) }
}

function list(text: string | undefined): string[] | null {
  const names = (text ?? '').split(',').filter(Boolean)
  return names.length > 0 ? names : null
}
