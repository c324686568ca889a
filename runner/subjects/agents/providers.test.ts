import { describe, expect, it } from 'vitest'
import { shippedProviders } from '../../providers/known-providers.ts'
import { loadAgents, pickAgent } from './load-agents.ts'
import { chooseModel, findProvider, listProviders } from './providers.ts'

const known = shippedProviders()

describe('the providers of an agent', () => {
  it('are its definition’s first, then every other that shares a protocol with it', () => {
    const claude = pickAgent('claude', null)
    const names = listProviders(claude, known)
    expect(names.slice(0, Object.keys(claude.providers).length)).toEqual(
      Object.keys(claude.providers),
    )
    for (const other of ['deepseek', 'zai', 'bedrock', 'ollama', 'vllm', 'scripted'])
      expect(names).toContain(other)
    for (const foreign of ['groq', 'mistral', 'google']) expect(names).not.toContain(foreign)
    expect(listProviders(pickAgent('cursor', null), known)).toEqual(['cursor'])
  })

  it('are asked by the protocol that the definition names, else by one that both speak', () => {
    const pi = pickAgent('pi', null)
    const protocolAt = (name: string) => findProvider(pi, name, known)?.protocol
    expect(protocolAt('openai')).toBe('openai-responses')
    expect(protocolAt('deepseek')).toBe('anthropic')
    expect(protocolAt('groq')).toBe('openai-chat')
    expect(protocolAt('mistral')).toBe('openai-chat')
    expect(protocolAt('vertex')).toBe('gemini')
  })

  it('are all known by name: an agent whose provider is not could never be asked', () => {
    for (const agent of loadAgents().filter(({ metering }) => metering === 'gateway'))
      for (const name of Object.keys(agent.providers))
        expect(findProvider(agent, name, known), `${agent.name} ${name}`).not.toBeNull()
  })

  it('without one named: the first of the definition that has a key here', () => {
    const request = { model: 'anthropic/claude-sonnet-4.5', provider: null }
    const claude = pickAgent('claude', null)
    expect(chooseModel(claude, request, known, { OPENROUTER_API_KEY: 'x' })).toEqual({
      provider: 'openrouter',
      modelRequested: 'anthropic/claude-sonnet-4.5',
    })
    const local = { model: 'qwen3-coder', provider: 'ollama' }
    expect(chooseModel(claude, local, known, { OLLAMA_URL: 'http://10.0.0.7:11434' })).toEqual({
      provider: 'ollama@10.0.0.7:11434',
      modelRequested: 'qwen3-coder',
    })
  })
})
