import type { Served } from '../agents/providers.ts'
import type { LibraryAdapter } from '../libraries/library-adapter.ts'

/** Who may answer when a model drives a library: our own tool loop speaks two of the gateway's protocols. */
export function modelDriven({ name }: Pick<LibraryAdapter, 'name'>): Served {
  return {
    name,
    metering: 'gateway',
    preferred: 'openai-chat',
    providers: {
      anthropic: { protocol: 'anthropic', models: {} },
      openai: { protocol: 'openai-chat', models: {} },
      openrouter: { protocol: 'openai-chat', models: {} },
      moonshot: { protocol: 'openai-chat', models: {} },
      xai: { protocol: 'openai-chat', models: {} },
      dashscope: { protocol: 'openai-chat', models: {} },
    },
  }
}
