import type { Protocol } from '#lib/domain/runs/index.ts'
import type { LibraryAdapter } from '../libraries/library-adapter.ts'
import type { Served } from '../subjects/agents/providers.ts'

/** Returns the protocols and providers of a library's model: our tool loop speaks two of the gateway's protocols. */
export function modelDriven({
  name,
  modelLoop,
}: Pick<LibraryAdapter, 'name' | 'modelLoop'>): Served {
  const spoken = modelLoop?.protocols ?? TOOL_LOOP
  const providers = Object.entries(PROVIDERS).filter(([, { protocol }]) =>
    spoken.includes(protocol),
  )
  return {
    name,
    metering: 'gateway',
    preferred: spoken[0] ?? null,
    protocols: Object.fromEntries(spoken.map((protocol) => [protocol, {}])),
    providers: Object.fromEntries(providers),
  }
}

/** Protocols of our own tool loop, preferred first. */
const TOOL_LOOP: readonly Protocol[] = ['openai-chat', 'anthropic']

const PROVIDERS: Readonly<Record<string, { protocol: Protocol; models: Record<string, string> }>> =
  {
    anthropic: { protocol: 'anthropic', models: {} },
    openai: { protocol: 'openai-chat', models: {} },
    openrouter: { protocol: 'openai-chat', models: {} },
    moonshot: { protocol: 'openai-chat', models: {} },
    xai: { protocol: 'openai-chat', models: {} },
    dashscope: { protocol: 'openai-chat', models: {} },
  }
