import { completeSettings } from '#lib/domain/settings/index.ts'
import { refuseArms } from '../../cli/ask-for-arms.ts'
import { chooseFaultedTasks } from '../../cli/choose-faulted-tasks.ts'
import { refuseUnkeptPins, withLimits } from '../../cli/choose-limits.ts'
import type { PlanOptions } from '../../cli/plan-options.ts'
import { knownProviders } from '../../providers/known-providers.ts'
import { usageError } from '../../runner-error.ts'
import { chooseAskedTasks } from '../../suites/select-tasks.ts'
import type { LoadedWorkflow } from '../../suites/task-folder.ts'
import { findWorkflowSubject } from '../../workflow/find-workflow-subject.ts'
import type { FrozenParts, LoadedSuite } from '../kind.ts'

/** Resolves the parts of a plan for browser workflows. */
export async function freezeWorkflows(
  options: PlanOptions,
  suite: LoadedSuite<LoadedWorkflow>,
  now: string,
): Promise<FrozenParts> {
  refuseAgentOptions(options)
  refuseArms(options)
  const { subject: name, model = null, provider = null, libraryFile = null } = options
  const providers = knownProviders(options.providerFile ?? null)
  const subject = await findWorkflowSubject(
    { name, model, provider, providers, libraryFile },
    suite,
  )
  const metered = subject.modelRequested !== null
  const { fault, ...asked } = options.settings
  refuseUnkeptPins(asked, { subject, metered })
  const wanted = chooseAskedTasks(suite.tasks, options)
  const { chosen, warnings } = chooseFaultedTasks({ ...options, fault }, wanted)
  const limited = withLimits(options, { subject, metered }, { kind: suite.suite.kind, now })
  const { browser = 'reused', ...settings } = limited.settings
  return {
    subject,
    chosen,
    settings: completeSettings({ ...settings, fault, browser, isolation: 'local' }),
    warnings: [...warnings, ...limited.warnings],
  }
}

/** Options that mean nothing where a library is measured. */
function refuseAgentOptions({ command, agentFile, agentVersion, settings }: PlanOptions): void {
  const { isolation, customInstruction, effort, login } = settings
  if (customInstruction !== undefined)
    throw usageError(
      'a browser suite has a fixed prompt: remove --custom-instruction',
      '--custom-instruction',
    )
  const asked = Object.entries({
    '--agent-version': agentVersion,
    '--effort': effort,
    '--login': login,
  })
  const given = asked.filter(([, value]) => value !== undefined).map(([flag]) => flag)
  if (given.length > 0)
    throw usageError(
      `a browser suite measures browser libraries: ${given.join(', ')} requires an agent on an exercise suite`,
      ...given,
    )
  if (command !== undefined || agentFile !== undefined)
    throw usageError(
      'a browser suite measures browser libraries: --command and --agent-file go with an exercise suite',
      ...(command === undefined ? [] : ['--command']),
      ...(agentFile === undefined ? [] : ['--agent-file']),
    )
  if (isolation !== undefined && isolation !== 'auto' && isolation !== 'local')
    throw usageError(
      `a browser suite runs at --isolation local, since library and browser share this machine: remove --isolation ${isolation}`,
      '--isolation',
    )
}
