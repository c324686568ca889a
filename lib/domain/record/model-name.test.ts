import { describe, expect, it } from 'vitest'
import { isModel, readModelName, roleOfModel } from './model-name.ts'

describe('one model in two spellings', () => {
  it.each([
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5-20250929'],
    ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
    ['anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5-20250929'],
    ['anthropic/claude-sonnet-4.5:nitro', 'anthropic/claude-sonnet-4.5'],
    ['anthropic/claude-3.7-sonnet:thinking', 'claude-3-7-sonnet-20250219'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5-20250929'],
    ['bedrock/eu.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5@20250929'],
    ['global.anthropic.claude-opus-4-6-v1', 'claude-opus-4-6'],
    ['anthropic.claude-3-sonnet-20240229-v1:0:28k', 'claude-3-sonnet-20240229'],
    [
      'arn:aws:bedrock:us-east-1::foundation-model/meta.llama3-1-70b-instruct-v1:0',
      'llama3-1-70b-instruct',
    ],
    ['vertex_ai/claude-opus-4-1@default', 'claude-opus-4-1-20250805'],
    ['publishers/google/models/gemini-2.5-flash', 'gemini-2.5-flash'],
    ['models/gemini-2.0-flash', 'gemini-2.0-flash-001'],
    ['gemini-2.5-pro-preview', 'gemini-2.5-pro-preview-05-06'],
    ['gemini-2.5-flash-preview', 'gemini-2.5-flash-preview-09-2025'],
    ['azure/gpt-5.4', 'gpt-5.4-2026-03-05'],
    ['gpt-4', 'gpt-4-0613'],
    ['mistral-large-latest', 'mistral-large-2411'],
    ['qwen/qwen3-coder:free', 'qwen3-coder'],
    ['Qwen/Qwen3-Coder-480B-A35B-Instruct', 'qwen3-coder-480b-a35b-instruct'],
    ['accounts/fireworks/models/deepseek-v3', 'deepseek-ai/DeepSeek-V3'],
    ['deepseek.v3-v1:0', 'v3'],
    ['qwen3', 'qwen3:latest'],
  ])('%s answered as %s', (requested, answered) => {
    expect(isModel(requested, answered)).toBe(true)
  })
})

describe('two models', () => {
  it.each([
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5-20250514'],
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['claude-sonnet-4-5', 'claude-haiku-4-5-20251001'],
    ['gpt-5.4', 'gpt-5.4-mini'],
    ['gpt-5', 'gpt-5.4'],
    ['gpt-4.1', 'gpt-41'],
    ['qwen3:8b', 'qwen3:32b'],
    ['qwen3:8', 'qwen3:32'],
    ['deepseek-v3', 'deepseek-v4'],
    ['deepseek-v3', 'deepseek'],
    ['moonshot-v1', 'moonshot'],
    ['gemini-2.5-pro', 'gemini-2.5-pro-preview'],
    ['llama-3.1-8b', 'llama-3.1-70b'],
    ['lab-model', 'lab-mini'],
    ['glm-4-32b-0414', 'glm-4-32b-0520'],
  ])('%s and %s', (requested, answered) => {
    expect(isModel(requested, answered)).toBe(false)
  })
})

it('names the snapshot alike in every spelling', () => {
  for (const name of ['m-20250929', 'm@20250929', 'm-2025-09-29', 'us.anthropic.m-20250929-v1:0'])
    expect(readModelName(name)).toEqual({ model: 'm', snapshot: '20250929' })
  expect(readModelName('claude-opus-4-6')).toEqual({ model: 'claude-opus-4-6', snapshot: null })
})

it('knows the role of an answering model by its plan', () => {
  const subject = {
    modelRequested: 'my-deployment',
    aliases: ['gpt-5.4-2026-03-05'],
    secondary: ['gpt-5.4-nano'],
  }
  expect(roleOfModel(subject, 'my-deployment')).toBe('pinned')
  expect(roleOfModel(subject, 'openai/gpt-5.4-2026-03-05')).toBe('pinned')
  expect(roleOfModel(subject, 'gpt-5.4-2026-04-01')).toBe('other')
  expect(roleOfModel(subject, 'gpt-5.4-nano-2026-03-05')).toBe('secondary')
  expect(roleOfModel({ modelRequested: null }, 'gpt-5.4')).toBe('other')
})
