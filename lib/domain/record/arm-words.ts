import { describeSetting, SETTING_LIST, type SettingValues } from '../settings/index.ts'
import { countOf, present } from '../text/index.ts'
import { type Activation, sumActivation } from './activation.ts'
import type { Arm } from './plan.ts'

/** Lists the parts of an arm: `files AGENTS.md`, `prompt prefix of 120 characters`. An empty arm has none. */
export function listArmParts(arm: Arm): string[] {
  const { files, mcpServers, promptPrefix, settings = {}, agentVersion } = arm
  const values: SettingValues = settings
  const changed = SETTING_LIST.filter(({ key }) => (values[key] ?? null) !== null)
  return present([
    files.length > 0 &&
      `${countOf(files.length, 'file')}: ${files.map(({ path }) => path).join(', ')}`,
    ...mcpServers.map(({ name, command }) => `MCP server ${name} (${command})`),
    promptPrefix !== undefined && `prompt prefix of ${countOf(promptPrefix.length, 'character')}`,
    ...changed.map(({ key, name }) => `${name} ${describeSetting(key, values)}`),
    agentVersion !== undefined && `agent version ${agentVersion}`,
  ])
}

/** Activation without a gateway: every part is unknown. Undefined = the arm adds nothing that could be detected. */
export function unknownActivation({
  files,
  promptPrefix,
  mcpServers,
}: Arm): Activation | undefined {
  const unknown = { offered: null, used: null }
  const parts: Activation['parts'] = present([
    promptPrefix !== undefined && { kind: 'prefix' as const, name: 'prompt', ...unknown },
    ...files.map(({ path }) => ({ kind: 'file' as const, name: path, ...unknown })),
    ...mcpServers.map(({ name }) => ({ kind: 'mcp' as const, name, ...unknown })),
  ])
  return parts.length === 0 ? undefined : sumActivation(parts)
}
