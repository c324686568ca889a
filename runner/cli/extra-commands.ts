import type { Command } from 'commander'
import { addAuditCommand } from '../audit/audit-command.ts'
import { addCompareCommand } from '../change/compare-command.ts'
import { addGithubCommand } from '../github/github-command.ts'
import { addImportHarborCommand } from '../harbor/registry/import-harbor-command.ts'
import { addMcpCommand } from '../mcp/mcp-command.ts'
import { addSkillCommand } from '../skill/skill-command.ts'
import { addCompareAgentsCommand } from '../suites/mine/compare-agents-command.ts'
import { addTasksCommand } from '../suites/mine/tasks-command.ts'
import { addMutateCommand } from '../suites/mutate/mutate-command.ts'

type Add = (parent: Command) => void

/** Commands of the extras; without them the list is empty, and the core works as before. */
export const EXTRA_COMMANDS: readonly Add[] = [
  addSkillCommand,
  addCompareAgentsCommand,
  addTasksCommand,
  addAuditCommand,
  addCompareCommand,
  addGithubCommand,
  addMcpCommand,
]

/** The same for commands below `suite`. */
export const EXTRA_SUITE_COMMANDS: readonly Add[] = [addMutateCommand]

/** The same for commands below `suite import`. */
export const EXTRA_IMPORT_COMMANDS: readonly Add[] = [addImportHarborCommand]
