import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { parseTranscript } from '#lib/domain/transcript/index.ts'
import { countDraws } from '#lib/testing/cases/draws.ts'
import {
  ask,
  giveFolders,
  openFile,
  play,
  record,
  root,
  SECRET,
  say,
  turn,
} from './play.fixture.ts'

giveFolders()

import { sealTranscript } from './seal-transcript.ts'
import { Transcriber } from './transcriber.ts'
import type { TranscriptFile } from './transcript-file.ts'
import { WorkspaceWatch } from './workspace-watch.ts'

const KNOWLEDGE = {
  task: { id: 'sum', title: 'Sum' },
  tests: [],
  reference: [],
  solution: [],
  given: [],
}

describe('what is hostile', () => {
  it('takes secrets out, also at a cut and in tool calls, and cuts what is too long', async () => {
    const transcript = await play(
      [
        {
          ...ask(
            ['user', `key ${SECRET}`],
            ['user', `${'x'.repeat(995)}${SECRET}${'y'.repeat(10 << 20)}`],
          ),
          answer: turn({ calls: [{ name: 'run', input: { env: `A=${SECRET}` } }] }),
        },
      ],
      openFile({ textChars: 1000, bytes: 1 << 20 }),
    )
    const text = JSON.stringify(transcript)
    expect(text).not.toContain(SECRET.slice(0, 12))
    expect(transcript.steps[1]?.text).toHaveLength(1000)
    expect(transcript.end).toMatchObject({ redactions: 3 })
    expect(transcript.end?.cutChars).toBeGreaterThan(10 << 20)
    expect(text.length).toBeLessThan(20_000)
  })

  it('takes secrets out of what a provider says of itself, and of an error', async () => {
    const broken = { model: SECRET, streamError: `no such key: ${SECRET}`, status: 500 }
    const transcript = await play([{ ...ask(['user', 'a']), answer: say('b'), record: broken }])
    expect(JSON.stringify(transcript)).not.toContain(SECRET.slice(0, 12))
    expect(transcript.steps[1]).toMatchObject({
      model: '[redacted:run-key]',
      trouble: 'status 500, no such key: [redacted:run-key]',
    })
  })

  it('shows no half of a secret where those before it have made room for it', async () => {
    const token = `ghp_${'aB3dE5gH7j'.repeat(4)}`
    const many = `${Array.from({ length: 2000 }, () => token).join(' ')}`
    for (const by of [0, 10, 20, 30]) {
      const text = 'x '.repeat(by) + many
      const transcript = await play([{ ...ask(['user', text]), answer: say('b') }], openFile())
      expect(transcript.steps[0]?.text).not.toContain('ghp_')
      rmSync(join(root, 'transcript.jsonl'))
    }
  })

  it('stores ANSI, HTML, broken UTF-8, lone surrogates and line ends as one line of JSON each', async () => {
    const evil = '\u001b[2J<script>alert(1)</script>\u2028\n{"kind":"end"}\u202e\ud800'
    const broken = Buffer.concat([
      Buffer.from('{"content":[{"type":"text","text":"a'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('b"}]}'),
    ])
    const file = openFile()
    const transcriber = new Transcriber(file, null, () => 0)
    transcriber.ask(1, ask(['user', evil]))
    transcriber.receive(1, broken)
    transcriber.settle(record(1))
    await transcriber.end()
    const transcript = parseTranscript(readFileSync(file.path, 'utf8'))
    expect(transcript?.unreadable).toBe(0)
    expect(transcript?.steps[0]?.text?.startsWith('\u001b[2J<script>')).toBe(true)
    expect(transcript?.steps[1]?.text).toMatch(/^a\ufffd+b$/)
  })

  it('shows what has no shape it knows, and never fails', async () => {
    const odd = [
      null,
      7,
      'text',
      { messages: 'x' },
      { messages: [null, { role: 9, content: [[]] }] },
    ]
    for (const protocol of ['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const) {
      const file = openFile()
      await play(
        odd.map((json) => ({ protocol, json, answer: '{"content":[null,{"type":1}]}' })),
        file,
      )
      rmSync(file.path)
    }
  })

  it('is not stopped by what is nested deeply or comes in a million parts', async () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
    const calls = [{ id: 'a', type: 'function', function: { name: 'f', arguments: deep } }]
    const messages = [{ role: 'assistant', tool_calls: calls }]
    const many = Array.from({ length: 1_000_000 }, () => ({ role: 'user' }))
    const transcript = await play([
      { protocol: 'openai-chat', json: { messages }, answer: say('b') },
      { protocol: 'openai-chat', json: { messages: many }, answer: say('c') },
      { ...ask(['user', 'still here']), answer: say('d') },
    ])
    expect(transcript.steps[0]?.toolCalls[0]?.arguments).toContain('nested too deep')
    expect(transcript.steps.map(({ text }) => text).slice(-4)).toEqual([
      '[a request of 1,000,000 parts is not read: too long]',
      'c',
      'still here',
      'd',
    ])
  })

  it('ends at its limit and counts what follows', async () => {
    const calls = Array.from({ length: 40 }, (_, place) => ({
      ...ask(['user', `${place} ${'z'.repeat(900)}`]),
      answer: say('ok'),
    }))
    const transcript = await play(calls, openFile({ textChars: 1000, bytes: 20_000 }))
    expect(transcript.end?.droppedSteps).toBeGreaterThan(20)
    expect(transcript.steps.length + (transcript.end?.droppedSteps ?? 0)).toBe(80)
  })

  it('takes thousands of calls of a growing conversation', async () => {
    const messages: { role: string; content: string }[] = []
    const file = openFile()
    const transcriber = new Transcriber(file, null, () => 0)
    const calls = countDraws(10_000, 1_000)
    for (let call = 1; call <= calls; call++) {
      // Sent like an agent that keeps only its last messages, so that the test itself stays small.
      messages.push({ role: 'user', content: `ask ${call}` })
      transcriber.ask(call, { protocol: 'anthropic', json: { messages: messages.slice(-4) } })
      transcriber.receive(
        call,
        Buffer.from(JSON.stringify({ content: [{ type: 'text', text: `a${call}` }] })),
      )
      transcriber.settle(record(call))
      messages.push({ role: 'assistant', content: `a${call}` })
    }
    await transcriber.end()
    const transcript = parseTranscript(readFileSync(file.path, 'utf8'))
    expect(transcript?.end).toMatchObject({ steps: 2 * calls, droppedSteps: 0 })
  })

  it('does not seal a file that another process has written to', async () => {
    const file = openFile()
    await play([{ ...ask(['user', 'a']), answer: say('b') }], file)
    writeFileSync(file.path, '{"kind":"transcript"}\n', { flag: 'a' })
    expect(sealTranscript(file, KNOWLEDGE)).toBeNull()
  })

  it('seals with findings, by the digest of the whole file', async () => {
    const file = openFile()
    await play([{ ...ask(['user', 'a']), answer: say('I give up.') }], file)
    const sealed = sealTranscript(file, KNOWLEDGE)
    const text = readFileSync(file.path, 'utf8')
    expect(sealed).toMatchObject({
      role: 'transcript',
      path: 'transcript.jsonl',
      sizeBytes: Buffer.byteLength(text),
    })
    expect(parseTranscript(text)?.findings?.findings).toMatchObject([
      { scanner: 'gave-up', steps: [2] },
    ])
  })
})

/** Waits until the file contains a text: steps are written in parallel with the calls. */
function written(file: TranscriptFile, text: string): Promise<void> {
  return vi.waitFor(() => expect(readFileSync(file.path, 'utf8')).toContain(text), 20_000)
}

describe('the workspace', () => {
  it('tells what changed when the next call arrives, a planted transcript.jsonl included', async () => {
    const workspace = mkdtempSync(join(root, 'work-'))
    writeFileSync(join(workspace, 'a.ts'), 'one\ntwo\n')
    const file = openFile()
    const transcriber = new Transcriber(file, new WorkspaceWatch(workspace), () => 0)
    transcriber.ask(1, ask(['user', 'a']))
    transcriber.receive(1, Buffer.from('{"content":[{"type":"text","text":"b"}]}'))
    transcriber.settle(record(1))
    await written(file, '"b"')
    writeFileSync(join(workspace, 'a.ts'), 'one\n2\nthree\n')
    writeFileSync(join(workspace, 'transcript.jsonl'), '{"kind":"transcript","version":1}\n')
    transcriber.ask(2, ask(['user', 'a'], ['assistant', 'b'], ['user', 'c']))
    transcriber.settle(record(2))
    await written(file, '"c"')
    rmSync(join(workspace, 'a.ts'))
    await transcriber.end()
    const transcript = parseTranscript(readFileSync(file.path, 'utf8'))
    expect(transcript?.steps[2]?.changes).toEqual({
      files: [
        { path: 'a.ts', kind: 'modified', addedLines: 2, removedLines: 1 },
        { path: 'transcript.jsonl', kind: 'added', addedLines: 1, removedLines: 0 },
      ],
      more: 0,
    })
    expect(transcript?.end?.changes?.files).toMatchObject([{ path: 'a.ts', kind: 'removed' }])
    expect(transcript?.head.agent.name).toBe('echo')
  })
})
