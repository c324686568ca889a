import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { TranscriptView } from '#lib/domain/api/index.ts'
import type { TranscriptStep } from '#lib/domain/transcript/index.ts'
import { sampleTranscript } from '#lib/testing/factories/sample-transcript.ts'
import { readCallArguments } from './step-text.tsx'
import { TranscriptPanel } from './transcript.tsx'
import { stepOfHash } from './transcript-address.ts'

function show(change: (step: TranscriptStep) => TranscriptStep = (step) => step): string {
  const { head, end, findings, steps } = sampleTranscript({ isSolved: false })
  const first: TranscriptView = {
    head,
    end,
    findings: findings?.findings ?? [],
    steps: steps.map(change),
    total: steps.length,
    next: null,
    hits: null,
  }
  return renderToStaticMarkup(createElement(TranscriptPanel, { episodeId: 'ep_1', first }))
}

describe('the transcript as the server sends it', () => {
  it('shows the first steps with roles in words, tokens, cost, changes and findings', () => {
    const markup = show()
    for (const text of [
      'aria-label="Step 1: System"',
      'calls bash',
      'result of bash',
      'Workspace changes, seen when call 3 arrived',
      'so far 960 tokens, $0.001',
      'The last answer says “I give up”.',
      'href="#step-11"',
      'simulated: no agent ever ran',
      'Another conversation begins',
      'Show all 30 lines',
    ])
      expect(markup).toContain(text)
  })

  it('shows a terminal’s colours, and what a tool was called with line by line', () => {
    const markup = show((step) => ({
      ...step,
      toolCalls: [
        { id: 'a', name: 'write', arguments: '{"path":"a.ts","lines":[1],"text":"one\\ntwo"}' },
      ],
      toolResult: { callId: null, text: '\u001b[31mFAIL\u001b[0m a.test.ts' },
    }))
    expect(markup).toContain('<span class="ansi-red">FAIL</span>')
    expect(markup).toContain('>path</dt>')
    expect(markup).toMatch(/>one\ntwo</)
    expect(markup).toContain('write a.ts [ 1 ] one two')
    expect(markup).not.toContain('U+001B')
  })

  it('shows arguments that were cut as they are', () => {
    expect(readCallArguments('{"path":"a.ts","te')).toBeNull()
    expect(readCallArguments('["a"]')).toBeNull()
  })

  it('never lets what was said become markup or move text', () => {
    const evil = '<img src=x onerror=alert(1)>\u202e\u001b[2J'
    const markup = show((step) => ({
      ...step,
      text: evil,
      reasoning: evil,
      model: evil,
      trouble: evil,
      toolCalls: [{ id: evil, name: evil, arguments: evil }],
      toolResult: { callId: evil, text: evil },
    }))
    expect(markup).not.toContain('<img')
    for (const sign of ['\u202e', '\u001b']) expect(markup).not.toContain(sign)
    expect(markup).toContain('⟨U+202E⟩')
  })
})

it('reads a step from an address', () => {
  expect(['#step-12', '#step-0', '#L12', ''].map(stepOfHash)).toEqual([12, null, null, null])
})
