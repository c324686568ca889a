import type { AgentAttack } from '../attack.ts'

type Part = Pick<AgentAttack, 'name' | 'summary'> & {
  script: string
  target?: string
  scope?: 'every-task'
  endsRunner?: boolean
}

/** Agents' attacks of one class; on a sample of the tasks and without a target unless they say otherwise. */
export const agentsOf =
  (attackClass: AgentAttack['class']) =>
  ({ script, target, scope, ...rest }: Part): AgentAttack => ({
    kind: 'agent',
    class: attackClass,
    scope: scope ?? 'sample',
    target: target ?? null,
    ...rest,
    script: () => script,
  })
